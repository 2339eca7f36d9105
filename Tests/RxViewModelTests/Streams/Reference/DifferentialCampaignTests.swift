import Foundation
import Testing

@testable import TestSupport

/// Ten thousand random chains of operators, compared with the reference of ``DifferentialTests``.
///
/// `RX_STRESS=1 RX_SCRIPTS=1000000 swift test --filter DifferentialCampaignTests` compares a million chains. With `RX_SEED=7` it compares
/// only the chain with that seed.
@Suite(.stress, .ownThread) struct DifferentialCampaignTests {
  private static let count = ProcessInfo.processInfo.environment["RX_SCRIPTS"].flatMap(UInt64.init) ?? 10_000
  private static let seed = ProcessInfo.processInfo.environment["RX_SEED"].flatMap(UInt64.init)

  // contract 1.1, 1.4, and the points of section 1 about single operators
  @Test func theLibraryAgreesWithTheReference() {
    DifferentialTests.compare(Self.seed.map { $0..<$0 + 1 } ?? 0..<Self.count)
  }
}
