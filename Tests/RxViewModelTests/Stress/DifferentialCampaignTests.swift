import Foundation
import Testing

/// Ten thousand random chains of operators, compared with the reference of ``DifferentialTests``.
///
/// `RX_STRESS=1 RX_SCRIPTS=1000000 swift test --filter DifferentialCampaignTests` compares a million, and `RX_SEED=7` the one
/// with that seed.
@Suite(.stress, .ownThread) struct DifferentialCampaignTests {
  private static let count = ProcessInfo.processInfo.environment["RX_SCRIPTS"].flatMap(UInt64.init) ?? 10_000
  private static let seed = ProcessInfo.processInfo.environment["RX_SEED"].flatMap(UInt64.init)

  // contract 1.1, 1.4, and what section 1 says of each operator
  @Test func theLibraryDoesWhatTheReferenceDoes() {
    DifferentialTests.compare(Self.seed.map { $0..<$0 + 1 } ?? 0..<Self.count)
  }
}
