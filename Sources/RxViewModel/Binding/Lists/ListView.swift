/// A view that can show a list: `UITableView` and `UICollectionView` do, and so can a view of your own.
///
/// A ``ListDataSource`` tells it what to do, and the view reads its contents from the data source's sections. The data source
/// calls it on the main actor.
///
/// A conforming type keeps three promises:
/// - `performBatchUpdates(_:setData:)` calls `setData` exactly once, before it returns. Until that call the data source has the
///   list before the batch, and from then on the list after it.
/// - It carries out the changes as ``ListChanges`` counts them, or redraws itself as a whole.
/// - It answers false for ``canAnimate`` when it cannot carry out a batch. The data source calls ``reloadData()`` then.
@MainActor
public protocol ListView: AnyObject {
  /// Whether the view can animate a batch now. A table view that is in no window, for example, cannot.
  var canAnimate: Bool { get }

  /// Reads all sections from the data source again.
  func reloadData()

  /// Calls `setData`, inside the batch and before anything else, and then makes the changes.
  func performBatchUpdates(_ changes: ListChanges, setData: () -> Void)

  /// Updates the cells of these items and headers in place, with the contents that the data source has now.
  func reconfigure(items: [ItemPath], sections: [Int])
}
