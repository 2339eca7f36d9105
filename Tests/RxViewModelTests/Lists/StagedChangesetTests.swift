import RxViewModel
import Testing

// contract 7, 7.1, 7.2. `ListFuzzTests` compares the changes of random lists with their definition.
struct StagedChangesetTests {
  /// Makes a changeset and validates it.
  private func changeset(_ old: [Section], _ new: [Section]) throws -> Changeset {
    let changeset = Changeset(from: old, to: new)
    try changeset.validate(from: old, to: new)
    return changeset
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
    #expect(changeset.stages.count == 1 && changeset.changeCount == 3)
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
