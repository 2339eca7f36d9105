import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 7.5. The lists are so small that their tables fit into the cache. Outside the cache the time depends on the machine's other
// work. `Benchmarks` measures lists of 100,000 items.
@Suite(.ownThread) struct ListCostTests {
  private static func list(_ rows: some Sequence<Int>) -> [Section] {
    [Section(1, rows.map { Row($0) })]
  }

  private func show(_ old: [Section], _ new: [Section]) {
    _ = Changeset(from: old, to: new).changeCount
  }

  /// A pair of lists for each number of rows or sections.
  private static let pairs: [(name: String, make: @Sendable (Int) -> (old: [Section], new: [Section]))] = [
    (
      "deletions, insertions and shuffling",
      { count in
        var random = SplitMix64(seed: 17)
        var rows = Array(0..<count).filter { $0 % 5 != 0 } + Array(count..<(count + count / 5))
        for _ in 0..<(count / 25) {
          rows.swapAt(.random(in: rows.indices, using: &random), .random(in: rows.indices, using: &random))
        }
        return (list(0..<count), list(rows))
      }
    ),
    ("equal items", { (list(repeatElement(7, count: $0)), list(repeatElement(7, count: $0 - 1))) }),
    (
      "equal items that change sections",
      { count in
        let items = [Row](repeating: 7, count: count)
        return ([Section(1, items), Section(2, [])], [Section(1, []), Section(2, items)])
      }
    ),
    (
      "many sections with equal items",
      { count in
        let sections = (0..<count / 2).map { Section(Row($0), [7, 8]) }
        return (sections, sections.reversed())
      }
    ),
  ]

  @Test(.stress, arguments: pairs.indices)
  func theTimeIsLinear(index: Int) {
    let (name, make) = Self.pairs[index]
    let lists = [1_000: make(1_000), 4_000: make(4_000)]
    #expect(Changeset(from: lists[1_000]!.old, to: lists[1_000]!.new).changeCount > 0, "\(name)")
    expectGrowth(from: 1_000, below: 6.5) { show(lists[$0]!.old, lists[$0]!.new) }
  }

  @Test(.stress) func aMoveFromFirstToLastCostsLikeAnUnchangedList() {
    let old = Self.list(0..<20_000)
    let moved = Self.list(Array(1..<20_000) + [0])
    #expect(Changeset(from: old, to: moved).all.movedItems.count == 1)
    // The numbers are not sizes: 1 stands for the unchanged list, 4 for the move.
    expectGrowth(from: 1, below: 3) { show(old, $0 == 1 ? old : moved) }
  }

  #if os(Linux)
    @Test(.ownThread) func theAllocationsGrowWithTheChangedSectionsAndNotWithTheItems() async {
      await #expect(processExitsWith: .success) {
        /// In each changed section an item goes, one comes, one moves and one has other contents.
        func allocations(_ changed: Int, ofSections sections: Int, ofItems items: Int) -> Int {
          let old = (0..<sections).map { Section(Row($0), (0..<items).map { Row($0) }) }
          var new = old
          for section in 0..<changed {
            new[section].items = Array(new[section].items.dropFirst(2)) + [.updated(1), Row(-1)]
          }
          return allocatedObjects { _ = Changeset(from: old, to: new).changeCount }
        }
        let (few, many) = (allocations(2, ofSections: 100, ofItems: 10), allocations(80, ofSections: 100, ofItems: 10))
        let (longer, more) = (
          allocations(2, ofSections: 100, ofItems: 1_000), allocations(2, ofSections: 900, ofItems: 10)
        )
        precondition(few > 0 && longer <= few, "\(longer) allocations for long sections, \(few) for short ones")
        // The sections of the first stage are an array that grows.
        precondition(more <= few + 10, "\(more) allocations among 900 sections, \(few) among 100")
        precondition(many <= few + 80 * 3, "\(many) allocations for 80 sections, \(few) for two")
      }
    }
  #endif

  @Test func nothingOfTheOldListIsRetained() {
    struct Held: Equatable, Sendable {
      let object: Lifetimes.Object

      static func == (left: Held, right: Held) -> Bool { left.object === right.object }
    }
    let lifetimes = Lifetimes()
    func list(_ count: Int) -> [SectionModel<Int, Held>] {
      [SectionModel(model: 1, items: (0..<count).map { _ in Held(object: lifetimes.make()) })]
    }
    let new = list(1)
    let changeset = StagedChangeset(
      from: list(10), to: new, sectionID: { $0 }, itemID: { ObjectIdentifier($0.object) })
    #expect(changeset.stages.count == 2)
    withExtendedLifetime(changeset) {
      #expect(lifetimes.alive == 1)
    }
  }
}
