import RxViewModel
import Testing
import UIKit

// contract 7
@MainActor struct BatchUpdatingListTests {
  private let changes = ListChanges(
    deletedSections: [1], insertedSections: [2, 3], movedSections: [.init(from: 0, to: 4)],
    deletedItems: [.init(section: 0, item: 1)], insertedItems: [.init(section: 2, item: 3)],
    movedItems: [.init(from: .init(section: 4, item: 5), to: .init(section: 6, item: 7))])

  @Test func aTableViewMakesTheChangesInsideABatchAfterTheData() {
    let table = UITableView()
    (table as any BatchUpdatingList).performBatchUpdates(changes) { table.calls.append("setData") }
    #expect(
      table.calls == [
        "begin()", "setData", "deleteSections([1])", "deleteRows([[0, 1]])", "insertSections([2, 3])",
        "moveSection(0, 4)", "insertRows([[2, 3]])", "moveRow([4, 5], [6, 7])", "end()",
      ])
  }

  @Test func aCollectionViewMakesTheChangesInsideABatchAfterTheData() {
    let collection = UICollectionView()
    (collection as any BatchUpdatingList).performBatchUpdates(changes) { collection.calls.append("setData") }
    #expect(
      collection.calls == [
        "begin()", "setData", "deleteSections([1])", "deleteItems([[0, 1]])", "insertSections([2, 3])",
        "moveSection(0, 4)", "insertItems([[2, 3]])", "moveItem([4, 5], [6, 7])", "end()",
      ])
  }

  @Test func contentsAreReconfiguredAndHeadersReloaded() {
    let (table, collection) = (UITableView(), UICollectionView())
    let views: [any BatchUpdatingList] = [table, collection]
    for view in views {
      view.reconfigure(items: [.init(section: 1, item: 2)], sections: [])
      view.reconfigure(items: [], sections: [3])
    }
    #expect(table.calls == ["reconfigureRows([[1, 2]])", "reconfigureRows([])", "reloadSections([3])"])
    #expect(collection.calls == ["reconfigureItems([[1, 2]])", "reconfigureItems([])", "reloadSections([3])"])
  }

  @Test func aViewInNoWindowIsReloaded() {
    let table = UITableView()
    let list = ListDataSource<Int, Int>(table, sectionID: \.self, itemID: \.self)
    list.show([SectionModel(model: 1, items: [1])])
    list.show([SectionModel(model: 1, items: [1, 2])])
    #expect(table.calls == ["reloadData()", "reloadData()"])
    table.window = table
    list.show([SectionModel(model: 1, items: [2])])
    #expect(table.calls.dropFirst(2).first == "begin()")
  }
}
