import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

/// Random chains of operators, compared with a reference that works on whole lists of events.
///
/// 10,000 scripts; `RX_SCRIPTS=1000000 swift test --filter DifferentialTests` runs a million, and `RX_SEED=7` the one with that seed.
@Suite struct DifferentialTests {
  private static let count = ProcessInfo.processInfo.environment["RX_SCRIPTS"].flatMap(UInt64.init) ?? 10_000
  private static let seed = ProcessInfo.processInfo.environment["RX_SEED"].flatMap(UInt64.init)

  // contract 1.1, 1.4, and what section 1 says of each operator
  @Test func theLibraryDoesWhatTheReferenceDoes() {
    var events = 0
    for seed in Self.seed.map({ $0...$0 }) ?? 0...(Self.count - 1) {
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
    // The scripts are worth running: they send something.
    if Self.seed == nil { #expect(events > Int(Self.count)) }
  }
}
