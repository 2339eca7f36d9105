import RxViewModel

/// A view that applies each update, and records it with the sections that its data source has at that point.
@MainActor final class RecordingListView: BatchUpdatingList {
  enum Call: Equatable {
    case reload([Section])
    case batch(ListChanges, before: [Section], after: [Section])
    case reconfigure(items: [ListChanges.ItemPath], sections: [Int], [Section])
  }

  var canAnimate = true
  private(set) var calls: [Call] = []
  /// Returns the current sections of its data source.
  var read: () -> [Section] = { [] }
  /// Runs inside each batch, after `setData`.
  var duringBatch: () -> Void = {}
  private var rows = BatchUpdates(showing: [])
  /// The inconsistent update at which a `UITableView` would trap.
  private(set) var failure: (any Error)?

  func reloadData() {
    calls.append(.reload(read()))
    rows = BatchUpdates(showing: read())
  }

  func performBatchUpdates(_ changes: ListChanges, setData: () -> Void) {
    let before = read()
    setData()
    calls.append(.batch(changes, before: before, after: read()))
    do { try rows.perform(changes, data: read()) } catch { failure = error }
    duringBatch()
  }

  func reconfigure(items: [ListChanges.ItemPath], sections: [Int]) {
    calls.append(.reconfigure(items: items, sections: sections, read()))
  }

  /// Returns the recorded calls and removes them.
  func takeCalls() -> [Call] {
    defer { calls = [] }
    return calls
  }
}

/// A view that cannot animate, and shows nothing.
final class StillListView: BatchUpdatingList {
  var canAnimate: Bool { false }
  func reloadData() {}
  func performBatchUpdates(_ changes: ListChanges, setData: () -> Void) { setData() }
  func reconfigure(items: [ListChanges.ItemPath], sections: [Int]) {}
}
