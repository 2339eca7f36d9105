#if canImport(UIKit) && !os(watchOS)  // There UIKit has no views.
  import UIKit

  extension BatchUpdatingList where Self: UIView {
    /// Whether the view is in a window.
    public var canAnimate: Bool { window != nil }
  }

  extension UITableView: BatchUpdatingList {
    public func performBatchUpdates(_ changes: ListChanges, setData: @escaping () -> Void) {
      performBatchUpdates({ [self] in
        setData()
        deleteSections(IndexSet(changes.deletedSections), with: .automatic)
        deleteRows(at: changes.deletedItems.map(IndexPath.init), with: .automatic)
        insertSections(IndexSet(changes.insertedSections), with: .automatic)
        for move in changes.movedSections { moveSection(move.from, toSection: move.to) }
        insertRows(at: changes.insertedItems.map(IndexPath.init), with: .automatic)
        for move in changes.movedItems { moveRow(at: IndexPath(move.from), to: IndexPath(move.to)) }
      })
    }

    /// Reconfigures the rows. UIKit cannot reconfigure a header, so this reloads the sections, without animation.
    public func reconfigure(items: [ListChanges.ItemPath], sections: [Int]) {
      reconfigureRows(at: items.map(IndexPath.init))
      if sections.isEmpty { return }
      UIView.performWithoutAnimation { reloadSections(IndexSet(sections), with: .none) }
    }
  }

  extension UICollectionView: BatchUpdatingList {
    public func performBatchUpdates(_ changes: ListChanges, setData: @escaping () -> Void) {
      performBatchUpdates({ [self] in
        setData()
        deleteSections(IndexSet(changes.deletedSections))
        deleteItems(at: changes.deletedItems.map(IndexPath.init))
        insertSections(IndexSet(changes.insertedSections))
        for move in changes.movedSections { moveSection(move.from, toSection: move.to) }
        insertItems(at: changes.insertedItems.map(IndexPath.init))
        for move in changes.movedItems { moveItem(at: IndexPath(move.from), to: IndexPath(move.to)) }
      })
    }

    /// Reconfigures the items. UIKit cannot reconfigure a header, so this reloads the sections, without animation.
    public func reconfigure(items: [ListChanges.ItemPath], sections: [Int]) {
      reconfigureItems(at: items.map(IndexPath.init))
      if sections.isEmpty { return }
      UIView.performWithoutAnimation { reloadSections(IndexSet(sections)) }
    }
  }

  extension IndexPath {
    fileprivate init(_ path: ListChanges.ItemPath) { self.init(item: path.item, section: path.section) }
  }
#endif
