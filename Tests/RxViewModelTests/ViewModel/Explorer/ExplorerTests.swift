import Testing

@testable import TestSupport

/// Tests section 2 of the contract in every order in which actions, effects, cancellations and `clear` can follow each other.
///
/// Each order runs on a real view model, on this thread. The test compares the journal with that of ``ReferenceModel``, and checks it with
/// ``Invariants``. The larger campaigns are in ``ExplorerCampaignTests``.
@Suite(.ownThread) struct ExplorerTests {
  // contract 2.2, 2.3, 2.5, 2.6, 2.7, 2.9, 2.11 and the table of modes
  @Test func everyOrderOfTwoActionsAndTheTurnsOfTheScheduler() {
    Self.run(.twoAndTheTurnsOfTheScheduler)
  }

  // The same with more actions, with requests from inside user code, and with children (contract 2.8, 2.19), in random orders.
  @Test(arguments: Campaign.sampled)
  func someOrders(of campaign: Campaign) {
    Self.run(campaign, count: 600)
  }

  static func run(_ campaign: Campaign, count: Int? = nil) {
    var explorer = Explorer()
    campaign.run(&explorer, count: count)
    print("ExplorerTests: \(explorer.count) orders of \(campaign)")
    #expect(explorer.faults == [])
    #expect(explorer.count > 200)
  }
}

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
