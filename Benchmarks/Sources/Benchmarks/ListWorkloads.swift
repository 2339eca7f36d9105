import RxViewModel

/// An identity of 16 bytes, like a UUID.
private struct LongID: Hashable, Sendable {
  let high: UInt64
  let low: UInt64
}

private struct Element<ID: Hashable & Sendable>: Hashable, Identifiable, Sendable {
  let id: ID
}

private func longID(_ number: Int) -> LongID {
  LongID(high: UInt64(number) &* 0x9E37_79B9_7F4A_7C15, low: UInt64(number) &* 0xBF58_476D_1CE4_E5B9)
}

/// A string that is too long to be stored inline.
private func stringID(_ number: Int) -> String {
  let digits = String(number)
  return "element-" + String(repeating: "0", count: 12 - digits.count) + digits
}

@MainActor
private final class CountingList: BatchUpdatingList {
  private let number: @Sendable (ListChanges) -> Int
  private(set) var count = 0

  init(_ number: @escaping @Sendable (ListChanges) -> Int) { self.number = number }

  var canAnimate: Bool { true }

  func reloadData() {}

  func performBatchUpdates(_ changes: ListChanges, setData: @escaping () -> Void) {
    setData()
    count += number(changes)
  }

  func reconfigure(items: [ListChanges.ItemPath], sections: [Int]) {}
}

/// A list, and the list that results from deleting, inserting and shuffling elements of it.
private struct Transition<ID: Hashable & Sendable>: Sendable {
  typealias Sections = [SectionModel<Int, Element<ID>>]

  let old: [Element<ID>]
  let new: [Element<ID>]
  let sections: (old: Sections, new: Sections)

  init(_ count: Int, deleting: Int, inserting: Int, shuffling: Int, _ id: (Int) -> ID) {
    var random = Random(state: 1978)
    var numbers = Array(0..<count)
    for _ in 0..<deleting { numbers[Int.random(in: 0..<count, using: &random)] = -1 }
    numbers.removeAll { $0 < 0 }
    let places = (0..<shuffling).map { _ in Int.random(in: numbers.indices, using: &random) }
    for (from, to) in zip(places, places.shuffled(using: &random)) { numbers.swapAt(from, to) }
    var inserted = Array(repeating: 0, count: numbers.count + 1)
    for _ in 0..<inserting { inserted[Int.random(in: inserted.indices, using: &random)] += 1 }
    var (result, next): ([Int], Int) = ([], count)
    for (place, insertions) in inserted.enumerated() {
      for _ in 0..<insertions {
        result.append(next)
        next += 1
      }
      if place < numbers.count { result.append(numbers[place]) }
    }
    self.init((0..<count).map { Element(id: id($0)) }, result.map { Element(id: id($0)) })
  }

  init(_ old: [Element<ID>], _ new: [Element<ID>]) {
    self.old = old
    self.new = new
    sections = ([SectionModel(model: 0, items: old)], [SectionModel(model: 0, items: new)])
  }

  // All methods agree on the number of insertions and deletions, which is the sum.

  func ours(_ count: Int) -> Int { changes(count) { $0.insertedItems.count + $0.deletedItems.count } }

  func moves(_ count: Int) -> Int { changes(count) { $0.movedItems.count } }

  /// Shows the old list and the new one, over and over, in a view that counts the changes to the new one.
  private func changes(_ count: Int, _ number: @escaping @Sendable (ListChanges) -> Int) -> Int {
    MainActor.assumeIsolated {
      let view = CountingList(number)
      for _ in 0..<count {
        let list = ListDataSource<Int, Element<ID>>(view, sectionID: { $0 }, itemID: { $0.id }) { _ in true }
        list.show(sections.old)
        list.show(sections.new)
      }
      return view.count
    }
  }

  func heckel(_ count: Int) -> Int {
    (0..<count).reduce(0) { sum, _ in
      let diff = HeckelDiff(from: old, to: new) { $0.id }
      return sum + diff.inserted.count + diff.deleted.count
    }
  }

  func standard(_ count: Int) -> Int {
    (0..<count).reduce(0) { sum, _ in
      let difference = new.difference(from: old).inferringMoves()
      return sum
        + difference.count { change in
          switch change {
          case .insert(_, _, let associated), .remove(_, _, let associated): associated == nil
          }
        }
    }
  }

  var expected: Int { Set(old.map(\.id)).symmetricDifference(new.map(\.id)).count }
}

/// SplitMix64: the same lists in every run.
private struct Random: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

func lists() -> [Workload] {
  [(5_000, 5, 25), (100_000, 5, 25), (100_000, 10, 50)].flatMap { count, part, shuffledPart in
    let (changed, shuffled) = (count / part, count / shuffledPart)
    let name = "list of \(count), \(100 / part)% deleted and inserted, \(100 / shuffledPart)% shuffled"
    let long = Transition(count, deleting: changed, inserting: changed, shuffling: shuffled, longID)
    let strings = Transition(count, deleting: changed, inserting: changed, shuffling: shuffled, stringID)
    return [
      workload("\(name), 16-byte ids", 500_000 / count, long, goal: 1),
      workload("\(name), strings", 500_000 / count, strings, goal: 1.2),
    ]
  } + listScaling()
}

private func workload<ID>(_ name: String, _ count: Int, _ transition: Transition<ID>, goal: Double) -> Workload {
  let expected = transition.expected
  return Workload(
    name: name, count: count, expected: { $0 * expected }, goal: goal, allocations: 40,
    contenders: [
      Contender(name: Workload.limit, run: transition.heckel), Contender(name: Workload.ours, run: transition.ours),
    ])
}

/// Lists against other lists: a list of ten times the length may take 13 times as long, and a move from the first place to the last may
/// take three times as long as no change. The limit is the other list.
private func listScaling() -> [Workload] {
  let (short, long) = (fifths(10_000), fifths(100_000))
  let expected = long.expected
  let small = fifths(5_000)
  let smallExpected = small.expected
  let unchanged = Transition(long.old, long.old)
  let moved = Transition(long.old, long.old.dropFirst() + [long.old[0]])
  return [
    // For the longer lists, `difference(from:)` takes minutes.
    Workload(
      name: "list of 5,000 against difference(from:).inferringMoves()", count: 1, expected: { $0 * smallExpected },
      goal: 1,
      contenders: [
        Contender(name: Workload.limit, run: small.standard), Contender(name: Workload.ours, run: small.ours),
      ]),
    Workload(
      name: "list of 100,000 against ten of 10,000", count: 5, expected: { $0 * expected }, goal: 1.3,
      contenders: [
        Contender(name: Workload.limit) { count in
          _ = short.ours(count * 10)
          return count * expected
        },
        Contender(name: Workload.ours, run: long.ours),
      ]),
    Workload(
      name: "list of 100,000, first to last against unchanged", count: 5, expected: { $0 }, goal: 3,
      contenders: [
        Contender(name: Workload.limit) { count in unchanged.ours(count) + count },
        Contender(name: Workload.ours, run: moved.moves),
      ]),
  ]
}

private func fifths(_ count: Int) -> Transition<LongID> {
  Transition(count, deleting: count / 5, inserting: count / 5, shuffling: count / 25, longID)
}
