import Testing

/// All of section 2, in every order in which actions, effects, cancellations and `clear` can follow each other.
///
/// Each order is run on a real view model, on this thread, and its journal compared with that of ``ReferenceModel`` and
/// looked at by ``Invariants``. `EXPLORE=5 swift test -c release -Xswiftc -enable-testing --filter ExplorerTests` runs all
/// mixes of up to five actions instead, which takes minutes.
@Suite struct ExplorerTests {
  // contract 2.2, 2.3, 2.5, 2.6, 2.7, 2.9, 2.11 and the table of modes
  @Test(arguments: Campaign.inTheSuite)
  func everyOrder(of campaign: Campaign) {
    var explorer = Explorer()
    campaign.run(&explorer)
    print("ExplorerTests: \(explorer.count) orders of \(campaign)")
    #expect(explorer.faults == [])
    #expect(explorer.count > 500)
  }
}
