/// A view that can show a list: `UITableView` and `UICollectionView` do, and so can a view of your own.
///
/// A ``ListDataSource`` tells it what to do; its contents it reads from the data source's sections. All calls come on the
/// main actor.
///
/// A type of your own keeps three promises:
/// - `performBatchUpdates(_:setData:)` calls `setData` exactly once, before it returns. What it reads from the data source
///   is the list before the batch until then, and the list after the batch from then on.
/// - It carries out the changes as ``ListChanges`` counts them, or draws itself anew as a whole.
/// - It does not animate where ``canAnimate`` is false: it is told to reload then.
@MainActor
public protocol ListView: AnyObject {
  /// Whether batches make sense now: a table view in no window, for example, has nothing to animate.
  var canAnimate: Bool { get }

  /// Reads everything anew from the data source.
  func reloadData()

  /// Calls `setData`, inside the batch and before anything else, and then makes the changes.
  func performBatchUpdates(_ changes: ListChanges, setData: () -> Void)

  /// Shows the contents of these items and headers anew, where they are, without taking their cells away.
  func reconfigure(items: [ItemPath], sections: [Int])
}
