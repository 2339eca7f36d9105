/// The scripts of the runs that an exploration still has to make.
///
/// A run that has followed a script makes further choices behind it, all of them the first option. Each other option of each of these
/// choices is another run. The runs wait in a queue, so those with fewer departures come first. If all of them would be more than the
/// limit, every second run from then on is a random one.
struct ScriptQueue {
  /// The runs that follow from one run.
  private struct Branches {
    let choices: [Choice]
    var position: Int
    var value = 1

    /// The number of the runs, `Int.max` for more than an `Int` can hold.
    var count: Int {
      choices[position...].reduce(0) { sum, choice in
        let (result, overflow) = sum.addingReportingOverflow(choice.options - 1)
        return overflow ? .max : result
      }
    }

    /// How many departures each of the runs has.
    var departures: Int { choices.count(where: \.isDeparture) + 1 }

    /// Whether no run is left.
    var isEmpty: Bool {
      var rest = self
      return rest.next() == nil
    }

    /// Nil after the last one.
    mutating func next() -> [Choice]? {
      while position < choices.count, value >= choices[position].options { (position, value) = (position + 1, 1) }
      guard position < choices.count else { return nil }
      defer { value += 1 }
      return choices[..<position] + [Choice(value: value, options: choices[position].options)]
    }
  }

  private let limit: Int
  private let seed: UInt64
  /// Whether every second run is random.
  private var isSampling = false
  private var branches: ArraySlice<Branches> = []
  /// The number of the runs in `branches`.
  private var waiting = 0
  /// How many runs that are not random have had so many departures.
  private var counts: [Int: Int] = [:]
  /// The fewest departures of a run for which there was no room.
  private var left = Int.max
  /// The number of runs that have begun.
  private(set) var runs = 0

  init(limit: Int, seed: UInt64) { (self.limit, self.seed) = (max(limit, 1), seed) }

  /// Whether the runs so far are all that there are.
  var isExhaustive: Bool { !isSampling && waiting == 0 }

  /// Up to how many departures every run has been made, and how many runs these are.
  var covered: (departures: Int?, runs: Int) {
    let next = branches.filter { !$0.isEmpty }.reduce(left) { min($0, $1.departures) }
    return (next - 1, counts.reduce(0) { $1.key < next ? $0 + $1.value : $0 })
  }

  /// The script of the next run. Nil after the last one.
  mutating func next() -> Tape.Script? {
    if runs == limit { return nil }
    runs += 1
    if runs == 1 { return .choices([]) }
    if isSampling, runs.isMultiple(of: 2) { return sample() }
    if let script = takeWaiting() { return script }
    if isSampling { return sample() }
    runs -= 1
    return nil
  }

  /// Notes what a run has chosen, so that the runs that follow from it wait. None follow from a random run.
  mutating func add(_ tape: Tape) {
    guard case .choices(let script) = tape.script, tape.fault == nil else { return }
    let next = Branches(choices: tape.choices, position: script.count)
    counts[next.departures - 1, default: 0] += 1
    let count = next.count
    if count == 0 { return }
    let hasRoom = waiting < limit - runs
    if hasRoom {
      branches.append(next)
      waiting = count > .max - waiting ? .max : waiting + count
    } else {
      left = min(left, next.departures)
    }
    if !hasRoom || waiting > limit - runs { isSampling = true }
  }

  private mutating func takeWaiting() -> Tape.Script? {
    while let index = branches.indices.first {
      if let choices = branches[index].next() {
        waiting -= 1
        return .choices(choices)
      }
      branches.removeFirst()
    }
    return nil
  }

  private func sample() -> Tape.Script {
    var random = SplitMix64(seed: seed)
    random = SplitMix64(seed: random.next() ^ UInt64(runs))
    let rates: [UInt64] = [1, 2, 5, 20]
    return .sample(random, oneIn: rates[Int(random.next(below: UInt64(rates.count)))])
  }
}
