import Testing

@testable import TestSupport

// contract 7.2, 7.3: a million transitions in a release build, which CI runs too
@Suite(.stress, .ownThread) struct ListFuzzCampaignTests {
  #if DEBUG
    private let million = 20_000
  #else
    private let million = 1_000_000
  #endif

  @Test func aMillionRandomTransitionsAreCarriedOut() throws {
    try ListFuzzTests.transitions(million)
  }

  @Test func manyLongListsMoveNoMoreThanNecessary() throws {
    try ListFuzzTests.longTransitions(300)
  }
}
