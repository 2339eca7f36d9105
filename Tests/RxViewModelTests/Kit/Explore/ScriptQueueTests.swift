import Testing

@testable import RxViewModelTesting

// contract 4.6
struct ScriptQueueTests {
  /// Makes runs until there are no more.
  ///
  /// - Parameter options: Returns the number of options of the next choice, or nil at the end of a run. Its argument is the choices before.
  private func sequences(
    limit: Int = 10_000, seed: UInt64 = 0, _ options: ([Int]) -> Int?
  ) -> (runs: [[Int]], isExhaustive: Bool) {
    var queue = ScriptQueue(limit: limit, seed: seed)
    var runs: [[Int]] = []
    while let script = queue.next() {
      var tape = Tape(script)
      var values: [Int] = []
      while let count = options(values) { values.append(tape.choose(among: count)) }
      tape.end(hasFailed: false)
      #expect(tape.fault == nil)
      runs.append(values)
      queue.add(tape)
    }
    #expect(queue.runs == runs.count)
    return (runs, queue.isExhaustive)
  }

  @Test func fewerDeparturesComeFirst() {
    let all = sequences { $0.count < 3 ? 2 : nil }
    #expect(
      all.runs == [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 1]])
    #expect(all.isExhaustive)
  }

  @Test func theLimitCountsAllRuns() {
    for (limit, count, isExhaustive) in [
      (1, 1, false), (7, 7, false), (8, 8, true), (9, 8, true), (0, 1, false),
    ] {
      let some = sequences(limit: limit) { $0.count < 3 ? 2 : nil }
      #expect(some.runs.count == count && some.isExhaustive == isExhaustive, "limit \(limit)")
    }
    #expect(sequences(limit: 1) { _ in nil }.isExhaustive)
  }

  @Test func beyondTheLimitEverySecondRunIsRandom() {
    let some = sequences(limit: 101) { $0.count < 40 ? 10 : nil }
    #expect(some.runs.count == 101 && !some.isExhaustive)
    let random = some.runs.filter { $0.count { $0 > 0 } > 1 }
    #expect((20...50).contains(random.count))
    #expect(some.runs == sequences(limit: 101) { $0.count < 40 ? 10 : nil }.runs)
    #expect(some.runs != sequences(limit: 101, seed: 1) { $0.count < 40 ? 10 : nil }.runs)
  }
}
