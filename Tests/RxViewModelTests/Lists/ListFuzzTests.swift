import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 7.1, 7.2, 7.3, 7.4
@Suite(.ownThread) struct ListFuzzTests {
  @Test func randomTransitionsAreCorrect() throws {
    try Self.transitions(500)
  }

  static func transitions(_ count: Int) throws {
    for seed in 0..<UInt64(count) {
      var random = SplitMix64(seed: seed)
      // Few identities lead to duplicates and moves, many to insertions and deletions.
      let (sectionIDs, itemIDs) = (Int.random(in: 1...7, using: &random), Int.random(in: 1...20, using: &random))
      let allowsDuplicates = Bool.random(using: &random)
      func sections() -> [Section] {
        var used: Set<Int> = []
        func row(below limit: Int, offset: Int) -> Row? {
          let row = Row(Int.random(in: 0..<limit, using: &random), version: Int.random(in: 0...7, using: &random) / 7)
          return allowsDuplicates || used.insert(row.id + offset).inserted ? row : nil
        }
        return (0..<Int.random(in: 0...5, using: &random)).compactMap { _ in
          guard let model = row(below: sectionIDs, offset: 1000) else { return nil }
          let items = (0..<Int.random(in: 0...5, using: &random)).compactMap { _ in row(below: itemIDs, offset: 0) }
          return Section(model, items)
        }
      }
      let (old, new) = (sections(), sections())
      let changeset = Changeset(from: old, to: new)
      let expected = ListReference(from: old, to: new)
      do {
        try changeset.validate(from: old, to: new)
      } catch {
        Issue.record("seed \(seed): \(error); from \(old) to \(new)")
        return
      }
      let changes = changeset.all
      let isExpected =
        changes.deletedSections == expected.deletedSections && changes.insertedSections == expected.insertedSections
        && Set(changes.deletedItems) == expected.deletedItems && Set(changes.insertedItems) == expected.insertedItems
        && changes.movedSections.count == expected.sectionMoveCount
        && changes.movedItems.count == expected.itemMoveCount
        && changeset.updatedSections == expected.updatedSections && changeset.updatedItems == expected.updatedItems
        && changeset.changeCount == expected.changeCount
      if !isExpected {
        Issue.record("seed \(seed): \(changes), not \(expected); from \(old) to \(new)")
        return
      }
    }
  }

  @Test func longListsMoveNoMoreThanNecessary() throws {
    try Self.longTransitions(30)
  }

  /// The lists are long enough for every branch of the search for the rows that stay. The test computes the minimum number of moves by
  /// comparing each pair of rows.
  static func longTransitions(_ count: Int) throws {
    for seed in 0..<UInt64(count) {
      var random = SplitMix64(seed: seed)
      let old = Array(0..<120).map { Row($0) }
      var new = old
      for _ in 0..<Int.random(in: 0...80, using: &random) {
        let from = Int.random(in: new.indices, using: &random)
        switch Int.random(in: 0...3, using: &random) {
        case 0: new.remove(at: from)
        case 1: new.insert(Row(.random(in: 1000...9000, using: &random)), at: from)
        default: new.insert(new.remove(at: from), at: .random(in: 0..<new.count, using: &random))
        }
      }
      let changeset = Changeset(from: [Section(1, old)], to: [Section(1, new)])
      try changeset.validate(from: [Section(1, old)], to: [Section(1, new)])
      let kept = new.filter { $0.id < 1000 }.map(\.id)
      var lengths: [Int] = []
      for id in kept {
        lengths.append(1 + (lengths.indices.filter { kept[$0] < id }.map { lengths[$0] }.max() ?? 0))
      }
      #expect(changeset.all.movedItems.count == kept.count - (lengths.max() ?? 0), "seed \(seed)")
    }
  }
}

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
