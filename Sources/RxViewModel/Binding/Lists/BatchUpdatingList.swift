/// A list that applies batches of changes: a `UITableView`, a `UICollectionView`, or a view of your own.
///
/// A ``ListDataSource`` tells the view which changes to make, on the main actor, and the view reads its contents from the data source's
/// sections.
///
/// If you conform a type of your own, it must meet three requirements:
/// - `performBatchUpdates(_:setData:)` calls `setData` exactly once, before it returns. Before that call the data source's sections are the
///   ones before the batch, and afterwards the ones after it.
/// - It interprets the indices as ``ListChanges`` defines them, or redraws the whole list.
/// - It returns false from ``canAnimate`` while it can't apply a batch. The data source then calls ``reloadData()``.
@MainActor
public protocol BatchUpdatingList: AnyObject {
  /// Whether the view can animate a batch now. A table view outside a window, for example, cannot.
  var canAnimate: Bool { get }

  /// Reads all sections from the data source again.
  func reloadData()

  /// Calls `setData`, inside the batch and before anything else, and then makes the changes.
  func performBatchUpdates(_ changes: ListChanges, setData: @escaping () -> Void)

  /// Updates the cells of these items and headers in place, with the data source's current contents.
  func reconfigure(items: [ListChanges.ItemPath], sections: [Int])
}
