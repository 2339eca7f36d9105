import Testing

@testable import TestSupport

/// The campaigns of ``ExplorerTests`` that take seconds.
///
/// `RX_STRESS=1 EXPLORE=5 swift test -c release -Xswiftc -enable-testing --filter ExplorerCampaignTests` runs all mixes of up
/// to five actions instead, which takes minutes.
@Suite(.stress, .ownThread) struct ExplorerCampaignTests {
  // contract 2.2, 2.3, 2.5, 2.6, 2.7, 2.9, 2.11 and the table of modes
  @Test(arguments: Campaign.ofTheStressTests)
  func everyOrder(of campaign: Campaign) {
    ExplorerTests.run(campaign)
  }
}
