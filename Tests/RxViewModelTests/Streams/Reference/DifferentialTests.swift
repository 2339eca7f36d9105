import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// Compares random chains of operators with a reference implementation that works on whole lists of events.
///
/// ``DifferentialCampaignTests`` compares many more.
@Suite(.ownThread) struct DifferentialTests {
  // contract 1.1, 1.4, and the promises of section 1 for each operator
  @Test func theLibraryEmitsTheSameEventsAsTheReference() {
    Self.compare(0..<500)
  }

  /// Compares the scripts of these seeds, up to the first one that differs.
  static func compare(_ seeds: Range<UInt64>) {
    var events = 0
    for seed in seeds {
      var generator = ScriptGenerator(seed: seed)
      let (script, disposal) = generator.make()
      let scheduler = TestScheduler()
      let observer = script.observable(scheduler).test(scheduler)
      if let disposal { _ = scheduler.schedule(after: disposal) { observer.dispose() } }
      scheduler.run()
      let expected = script.reference(.zero).filter { event in disposal.map { event.time < $0 } ?? true }
      events += expected.count
      guard let mismatch = observer.mismatch(with: expected) else { continue }
      Issue.record("seed \(seed), disposed \(disposal.map { "at \($0)" } ?? "never"): \(script)\n\(mismatch)")
      return
    }
    // The generator must not make mostly empty scripts.
    if seeds.count > 1 { #expect(events > seeds.count) }
  }
}

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
