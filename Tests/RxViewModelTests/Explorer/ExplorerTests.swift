import Testing

/// All of section 2, in every order in which actions, effects, cancellations and `clear` can follow each other.
///
/// Each order is run on a real view model, on this thread, and its journal compared with that of ``ReferenceModel`` and
/// looked at by ``Invariants``. The larger campaigns are in `Stress/ExplorerCampaignTests.swift`.
@Suite(.ownThread) struct ExplorerTests {
  // contract 2.2, 2.3, 2.5, 2.6, 2.7, 2.9, 2.11 and the table of modes
  @Test func everyOrderOfTwoActionsAndTheTurnsOfTheScheduler() {
    Self.run(.twoAndTheTurnsOfTheScheduler)
  }

  static func run(_ campaign: Campaign) {
    var explorer = Explorer()
    campaign.run(&explorer)
    print("ExplorerTests: \(explorer.count) orders of \(campaign)")
    #expect(explorer.faults == [])
    #expect(explorer.count > 500)
  }
}
