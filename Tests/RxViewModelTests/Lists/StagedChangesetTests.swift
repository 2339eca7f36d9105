import RxViewModel
import Testing

// contract 7, 7.1, 7.2
@Suite struct StagedChangesetTests {
  /// Makes a changeset and validates it.
  private func changeset(_ old: [Section], _ new: [Section]) throws -> Changeset {
    let changeset = Changeset(from: old, to: new)
    try changeset.validate(from: old, to: new)
    return changeset
  }

  private func nothing(_ changeset: Changeset) -> Bool { changeset.changeCount == 0 && changeset.stages.isEmpty }

  @Test func insertsAnItem() throws {
    let changeset = try changeset([Section(1, [0, 1, 2])], [Section(1, [0, 1, 2, 3])])
    #expect(changeset.stages.map(\.changes) == [ListChanges(insertedItems: [path(0, 3)])])
    #expect(changeset.changeCount == 1)
  }

  @Test func deletesAnItem() throws {
    let changeset = try changeset([Section(1, [0, 1, 2])], [Section(1, [0, 2])])
    #expect(changeset.stages.map(\.changes) == [ListChanges(deletedItems: [path(0, 1)])])
  }

  @Test func insertsAndDeletesASection() throws {
    let (one, two) = ([Section(1, [0])], [Section(1, [0]), Section(2, [1])])
    #expect(try changeset(one, two).stages.map(\.changes) == [ListChanges(insertedSections: [1])])
    #expect(try changeset(two, one).stages.map(\.changes) == [ListChanges(deletedSections: [1])])
  }

  // contract 7.3
  @Test func movesTheFirstItemToTheEndInOneMove() throws {
    let changeset = try changeset([Section(1, [0, 1, 2])], [Section(1, [1, 2, 0])])
    #expect(changeset.stages.map(\.changes) == [ListChanges(movedItems: [.init(from: path(0, 0), to: path(0, 2))])])
  }

  // contract 7.3
  @Test func movesTheFirstSectionToTheEndInOneMove() throws {
    let changeset = try changeset(
      [Section(1, []), Section(2, []), Section(3, [])], [Section(2, []), Section(3, []), Section(1, [])])
    #expect(changeset.stages.map(\.changes) == [ListChanges(movedSections: [.init(from: 0, to: 2)])])
  }

  // contract 7.4
  @Test func anUpdatedItemIsNotPartOfAStage() throws {
    let changeset = try changeset([Section(1, [0, 1, 2])], [Section(1, [0, .updated(1), 2])])
    #expect(changeset.stages.isEmpty)
    #expect(changeset.updatedItems == [path(0, 1)])
    #expect(changeset.changeCount == 1)
  }

  // contract 7.4
  @Test func anItemThatMovesAndChangesIsMovedAndThenUpdated() throws {
    let changeset = try changeset([Section(1, [0, 1, 2])], [Section(1, [.updated(1), 0, 2])])
    #expect(changeset.stages.count == 1)
    #expect(changeset.all.movedItems.count == 1)
    #expect(changeset.updatedItems == [path(0, 0)])
  }

  // contract 7.4
  @Test func aChangedHeaderIsNotPartOfAStage() throws {
    let changeset = try changeset([Section(1, [0, 1])], [Section(.updated(1), [0, 1])])
    #expect(changeset.stages.isEmpty)
    #expect(changeset.updatedSections == [0])
    #expect(changeset.updatedItems.isEmpty)
  }

  @Test func everythingAtOnceTakesThreeStages() throws {
    let changeset = try changeset([Section(1, [1111]), Section(2, [2222])], [Section(2, [0]), Section(1, [])])
    #expect(changeset.stages.count == 3)
    #expect(Set(changeset.stages[0].changes.deletedItems) == [path(0, 0), path(1, 0)])
    #expect(changeset.stages[1].changes.movedSections.count == 1)
    #expect(changeset.stages[2].changes == ListChanges(insertedItems: [path(0, 0)]))
  }

  @Test func anItemMovesBetweenSectionsThatMove() throws {
    let changeset = try changeset(
      [Section(4, [10, 11, 12]), Section(9, [25, 26, 27])], [Section(9, [11, 26, 27]), Section(4, [10, 12])])
    #expect(changeset.stages.count == 3)
    #expect(changeset.stages[0].changes == ListChanges(deletedItems: [path(1, 0)]))
    #expect(changeset.stages[1].changes.movedSections.count == 1)
    #expect(changeset.stages[2].changes == ListChanges(movedItems: [.init(from: path(1, 1), to: path(0, 0))]))
    #expect(changeset.stages[0].sections == [Section(4, [10, 11, 12]), Section(9, [26, 27])])
    #expect(changeset.stages[1].sections == [Section(9, [26, 27]), Section(4, [10, 11, 12])])
  }

  @Test func deletedAndInsertedSectionsAmongSectionsThatStay() throws {
    let old = [
      Section(10, [26]), Section(7, [5, 29]), Section(1, [14]), Section(5, [16]), Section(4, []),
      Section(8, [3, 15, 19, 23]), Section(3, [20]),
    ]
    let new = [
      Section(10, [26]), Section(1, [14]), Section(9, [3]), Section(5, [16, 8]), Section(8, [15, 19, 23]),
      Section(3, [20]), Section(2, [7]),
    ]
    #expect(
      try changeset(old, new).stages.map(\.changes) == [
        ListChanges(deletedSections: [1, 4], deletedItems: [path(5, 0)]),
        ListChanges(insertedSections: [2, 6]),
        ListChanges(insertedItems: [path(3, 1)]),
      ])
  }

  @Test func anItemMovesToASectionBeforeItsOwn() throws {
    let last = Section(1, [28, 25, 6, 11, 10, 29, 24, 7, 19])
    let old = [
      Section(4, [5]), Section(6, [20, 14]), Section(9, []), Section(2, [2, 26]), Section(8, [23]),
      Section(10, [8, 18, 13]), last,
    ]
    let new = [
      Section(4, [5]), Section(6, [20, 14]), Section(9, [16]), Section(7, [17, 15, 4]), Section(2, [2, 26, 23]),
      Section(8, []), Section(10, [8, 18, 13]), last,
    ]
    #expect(
      try changeset(old, new).stages.map(\.changes) == [
        ListChanges(insertedSections: [3]),
        ListChanges(insertedItems: [path(2, 0)], movedItems: [.init(from: path(5, 0), to: path(4, 2))]),
      ])
  }

  @Test func theItemsOfADeletedOrInsertedSectionAreDeletedOrInsertedWithIt() throws {
    let gone = try changeset([Section(1, [10, 11]), Section(2, [12])], [Section(2, [12, 10])])
    #expect(gone.all == ListChanges(deletedSections: [0], insertedItems: [path(0, 1)]))
    let come = try changeset([Section(1, [10, 11])], [Section(1, [11]), Section(2, [10])])
    #expect(come.all == ListChanges(insertedSections: [1], deletedItems: [path(0, 0)]))
  }

  @Test func anItemMovesBetweenSectionsInOneStage() throws {
    let changeset = try changeset(
      [Section(1, [1, 2, 3]), Section(2, [4])], [Section(1, [1, 3]), Section(2, [2, 4])])
    #expect(changeset.stages.map(\.changes) == [ListChanges(movedItems: [.init(from: path(0, 1), to: path(1, 0))])])
  }

  @Test func duplicatesAreMatchedInTheirOwnSectionFirst() throws {
    let deleted = try changeset([Section(1, [7]), Section(2, [7])], [Section(2, [7])])
    #expect(deleted.stages.map(\.changes) == [ListChanges(deletedSections: [0])])
    let inserted = try changeset([Section(1, []), Section(2, [7])], [Section(1, [7]), Section(2, [7])])
    #expect(inserted.stages.map(\.changes) == [ListChanges(insertedItems: [path(0, 0)])])
    let fewer = try changeset([Section(1, [7, 7, 7])], [Section(1, [7, 7])])
    #expect(fewer.stages.map(\.changes) == [ListChanges(deletedItems: [path(0, 2)])])
  }

  @Test func unmatchedDuplicatesMoveBetweenSectionsInOrder() throws {
    let changeset = try changeset(
      [Section(1, [7, .updated(7)]), Section(2, [7])], [Section(1, []), Section(2, [7, 7, .updated(7)])])
    #expect(
      changeset.stages.map(\.changes) == [
        ListChanges(movedItems: [.init(from: path(0, 0), to: path(1, 1)), .init(from: path(0, 1), to: path(1, 2))])
      ])
    #expect(changeset.updatedItems.isEmpty)
  }

  @Test func sectionsWithEqualIdentitiesAreMatchedInOrder() throws {
    let changeset = try changeset([Section(1, [7]), Section(1, [8])], [Section(1, [8])])
    #expect(changeset.all.deletedSections == [1])
  }

  @Test func emptyLists() throws {
    #expect(nothing(try changeset([], [])))
    let some = [Section(1, [1, 2]), Section(2, [])]
    #expect(try changeset([], some).stages.map(\.changes) == [ListChanges(insertedSections: [0, 1])])
    #expect(try changeset(some, []).stages.map(\.changes) == [ListChanges(deletedSections: [0, 1])])
    #expect(nothing(try changeset(some, some)))
  }

  @Test func contentsAreNewFromTheFirstStageOn() throws {
    let changeset = try changeset(
      [Section(1, [1, 2, 3]), Section(2, [4])],
      [Section(.updated(2), [.updated(4), .updated(2)]), Section(1, [.updated(3)])])
    #expect(changeset.stages.count == 3)
    #expect(
      changeset.stages[0].sections == [Section(1, [.updated(2), .updated(3)]), Section(.updated(2), [.updated(4)])])
    #expect(
      changeset.stages[1].sections == [Section(.updated(2), [.updated(4)]), Section(1, [.updated(2), .updated(3)])])
  }

  @Test func identitiesMayBeGivenAsClosures() {
    let changeset = StagedChangeset(
      from: [SectionModel(model: "A", items: ["x", "y"])], to: [SectionModel(model: "a", items: ["y", "X"])],
      sectionID: { $0.lowercased() }, itemID: { $0.lowercased() })
    #expect(changeset.updatedSections == [0])
    #expect(changeset.updatedItems == [path(0, 1)])
    #expect(changeset.stages.count == 1)
  }

  @Test func identitiesWithEqualHashesAreDistinguished() {
    struct Clash: Hashable {
      let number: Int

      func hash(into hasher: inout Hasher) {}
    }
    let changeset = StagedChangeset(
      from: [SectionModel(model: 1, items: Array(0..<40))],
      to: [SectionModel(model: 1, items: Array(1..<40) + [0, 40])], sectionID: { $0 }, itemID: Clash.init)
    #expect(
      changeset.stages.map(\.changes) == [
        ListChanges(insertedItems: [path(0, 40)], movedItems: [.init(from: path(0, 0), to: path(0, 39))])
      ])
  }

  @Test func identitiesThatDoNotEqualThemselvesAreDeletedAndInserted() {
    let list = [SectionModel(model: 1, items: [Double.nan, 1])]
    let changeset = StagedChangeset(from: list, to: list, sectionID: { $0 }, itemID: { $0 })
    #expect(
      changeset.stages.map(\.changes) == [
        ListChanges(deletedItems: [path(0, 0)]), ListChanges(insertedItems: [path(0, 0)]),
      ])
  }
}
