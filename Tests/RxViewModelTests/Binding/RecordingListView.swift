import RxViewModel

/// A view that carries out what it is told, and records it with the sections that its data source had at each point.
@MainActor final class RecordingListView: ListView {
  enum Call: Equatable {
    case reload([Section])
    case batch(ListChanges, before: [Section], after: [Section])
    case reconfigure(items: [ItemPath], sections: [Int], [Section])
  }

  var canAnimate = true
  private(set) var calls: [Call] = []
  /// What its data source shows now.
  var read: () -> [Section] = { [] }
  /// Runs inside each batch, behind `setData`.
  var duringBatch: () -> Void = {}
  /// Runs inside each reload.
  var duringReload: () -> Void = {}
  private var rows = BatchUpdates(showing: [])
  /// Why a view would have trapped.
  private(set) var failure: (any Error)?

  func reloadData() {
    calls.append(.reload(read()))
    rows = BatchUpdates(showing: read())
    duringReload()
  }

  func performBatchUpdates(_ changes: ListChanges, setData: () -> Void) {
    let before = read()
    setData()
    calls.append(.batch(changes, before: before, after: read()))
    do { try rows.perform(changes, data: read()) } catch { failure = error }
    duringBatch()
  }

  func reconfigure(items: [ItemPath], sections: [Int]) {
    calls.append(.reconfigure(items: items, sections: sections, read()))
  }

  /// The calls since the last time.
  func takeCalls() -> [Call] {
    defer { calls = [] }
    return calls
  }
}
