@_exported import Foundation

// The declarations of UIKit that the library uses, with the same names and signatures. The views record the calls.

@MainActor open class UIView: NSObject {
  public var window: AnyObject?
  public var isHidden = false
  public var calls: [String] = []
  public var interactions: [any UIInteraction] = []

  public override init() {}

  public class func performWithoutAnimation(_ actionsWithoutAnimation: () -> Void) { actionsWithoutAnimation() }

  func record(_ name: String, _ arguments: Any...) {
    calls.append("\(name)(\(arguments.map { "\($0)" }.joined(separator: ", ")))")
  }
}

extension IndexPath {
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
}

open class UITableView: UIView {
  public enum RowAnimation: Int { case fade, right, left, top, bottom, none, middle, automatic }

  private var cellTypes: [String: UITableViewCell.Type] = [:]

  open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {
    cellTypes[identifier] = cellClass as? UITableViewCell.Type
  }
  open func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
    cellTypes[identifier]!.init()
  }

  open func reloadData() { record("reloadData") }
  open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
    record("begin")
    updates?()
    record("end")
  }
  open func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {
    record("deleteSections", Array(sections))
  }
  open func insertSections(_ sections: IndexSet, with animation: RowAnimation) {
    record("insertSections", Array(sections))
  }
  open func reloadSections(_ sections: IndexSet, with animation: RowAnimation) {
    record("reloadSections", Array(sections))
  }
  open func moveSection(_ section: Int, toSection newSection: Int) { record("moveSection", section, newSection) }
  open func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) { record("deleteRows", indexPaths) }
  open func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) { record("insertRows", indexPaths) }
  open func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) { record("moveRow", indexPath, newIndexPath) }
  open func reconfigureRows(at indexPaths: [IndexPath]) { record("reconfigureRows", indexPaths) }
}

open class UICollectionView: UIView {
  open func reloadData() { record("reloadData") }
  open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
    record("begin")
    updates?()
    record("end")
  }
  open func deleteSections(_ sections: IndexSet) { record("deleteSections", Array(sections)) }
  open func insertSections(_ sections: IndexSet) { record("insertSections", Array(sections)) }
  open func reloadSections(_ sections: IndexSet) { record("reloadSections", Array(sections)) }
  open func moveSection(_ section: Int, toSection newSection: Int) { record("moveSection", section, newSection) }
  open func deleteItems(at indexPaths: [IndexPath]) { record("deleteItems", indexPaths) }
  open func insertItems(at indexPaths: [IndexPath]) { record("insertItems", indexPaths) }
  open func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    record("moveItem", indexPath, newIndexPath)
  }
  open func reconfigureItems(at indexPaths: [IndexPath]) { record("reconfigureItems", indexPaths) }
}
