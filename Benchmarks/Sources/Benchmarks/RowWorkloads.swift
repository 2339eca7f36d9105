import Observation
import RxViewModel

/// A list with a number beside it.
struct RowsState: Sendable {
  var rows: [IdentifiedForm]
  var number = 0
}

enum RowsAction: Sendable {
  case setRows([IdentifiedForm])
  case add
}

final class RowsViewModel: RxViewModel<RowsAction, RowsState>, @unchecked Sendable {  // Sendable: it stores nothing.
  override func createInitialState() -> RowsState { RowsState(rows: []) }

  override func createObservable(_ action: RowsAction) -> Effect {
    switch action {
    case .setRows(let rows): .mutate { $0.rows = rows }
    case .add: .mutate { $0.number += 1 }
    }
  }

  func slice(ofRow id: Int) -> ViewModelSlice<[IdentifiedForm], IdentifiedForm>? {
    slice(\.rows, id: id, RowsAction.setRows)
  }
}

/// A view model with a list of which views have read the first rows, or all.
@available(macOS 14, *)
@MainActor
private final class ObservedList {
  let viewModel = RowsViewModel(scheduler: ImmediateScheduler())
  /// The list, and the list with another row in front.
  let lists: [[IdentifiedForm]]

  init(_ count: Int, seen: Int) {
    let rows = (0..<count).map { IdentifiedForm(id: $0) }
    lists = [rows, [IdentifiedForm(id: -1)] + rows]
    viewModel.execute(.setRows(rows))
    for row in rows.prefix(seen) { _ = read(row.id, tracked: true) }
  }

  func slice(_ id: Int) -> ViewModelSlice<[IdentifiedForm], IdentifiedForm>? { viewModel.slice(ofRow: id) }

  /// Reads a row as a view does.
  func read(_ id: Int, tracked: Bool = false) -> Int {
    let read = { [self] in slice(id)!.observed.id }
    return tracked ? withObservationTracking(read, onChange: {}) : read()
  }

  /// Adds a row in front, and the next time removes it. A view reads it.
  func prepend(_ count: Int) -> Int {
    for number in 0..<count {
      let rows = lists[(number + 1) % 2]
      viewModel.execute(.setRows(rows))
      _ = read(rows[0].id)
    }
    viewModel.execute(.setRows(lists[0]))
    return count
  }

  func changeTheNumber(_ count: Int) -> Int {
    let before = viewModel.currentState.number
    for _ in 0..<count { viewModel.execute(.add) }
    return viewModel.currentState.number - before
  }

  /// Compares the two lists once for each operation.
  func compare(_ count: Int) -> Int {
    (0..<count).reduce(0) { sum, _ in zip(lists[0], lists[1].dropFirst()).allSatisfy(==) ? sum + 1 : sum }
  }

  /// Reads each row as often as the others, in order or in steps of the given size.
  func readAll(_ count: Int, step: Int) -> Int {
    var id = 0
    for _ in 0..<count {
      _ = read(id)
      id = (id + step) % lists[0].count
    }
    return count
  }
}

/// Rows that views read through slices, against one comparison of the two lists.
@MainActor
func rows() -> [Workload] {
  guard #available(macOS 14, *) else { return [] }
  func workload(
    _ name: String, count: Int, _ limit: @escaping @MainActor (Int) -> Int, _ ours: @escaping @MainActor (Int) -> Int
  ) -> Workload {
    Workload(
      name: "10,000 rows \(name)", count: count, expected: { $0 }, goal: 3,
      contenders: [
        Contender(name: Workload.limit) { count in MainActor.assumeIsolated { limit(count) } },
        Contender(name: Workload.ours) { count in MainActor.assumeIsolated { ours(count) } },
      ])
  }
  let (list, seen) = (ObservedList(10_000, seen: 10_000), ObservedList(10_000, seen: 20))
  return [
    workload("observed: one prepended, against one comparison", count: 200, list.compare, list.prepend),
    workload("observed: an unrelated change, against one comparison", count: 200, list.compare, list.changeTheNumber),
    workload(
      "observed: one read out of order, against in order", count: 10_000, { list.readAll($0, step: 1) },
      { list.readAll($0, step: 7_919) }),
    workload("of which 20 are seen: one prepended, against one comparison", count: 200, seen.compare, seen.prepend),
    workload(
      "of which 20 are seen: an unrelated change, against one comparison", count: 200, seen.compare,
      seen.changeTheNumber),
    Workload(
      name: "a slice of one of 1,000 rows, without a view", count: 100_000, expected: { $0 }, goal: nil, allocations: 4,
      contenders: [
        Contender(name: Workload.ours) { count in
          let viewModel = RowsViewModel(scheduler: ImmediateScheduler())
          viewModel.execute(.setRows((0..<1_000).map { IdentifiedForm(id: $0) }))
          return (0..<count).reduce(0) { viewModel.slice(ofRow: $1 % 1_000) == nil ? $0 : $0 + 1 }
        }
      ]),
  ]
}
