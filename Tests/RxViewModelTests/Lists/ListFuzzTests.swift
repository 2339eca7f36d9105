import Foundation
import RxViewModel
import Testing

// contract 7
@Suite struct ListFuzzTests {
  @Test func randomTransitionsAreCarriedOut() throws {
    try transitions(20_000)
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["RX_STRESS"] == "1"))
  func aMillionRandomTransitionsAreCarriedOut() throws {
    try transitions(1_000_000)
  }

  private func transitions(_ count: Int) throws {
    for seed in 0..<UInt64(count) {
      var random = SplitMix64(seed: seed)
      // Few identities make duplicates and moves, many make insertions and deletions.
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
      if !isExpected {
        Issue.record("seed \(seed): \(changes), not \(expected); from \(old) to \(new)")
        return
      }
    }
  }
}
