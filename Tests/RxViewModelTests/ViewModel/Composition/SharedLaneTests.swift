import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

private struct Inner: Feature {
  typealias State = Int

  let mode: ExecutionMode

  func createObservable(_ action: Int, context: FeatureContext<Self>) -> Effect { .never() }
  func executionMode(for action: Int) -> ExecutionMode { mode }
}

private struct Outer: Feature {
  struct State: Sendable, Identifiable {
    let id: Int
    var inner = 0
  }

  enum Action: Sendable {
    case own
    case inner(Int)
  }

  let (mode, shares): (ExecutionMode, Bool)

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect { .never() }
  func executionMode(for action: Action) -> ExecutionMode { mode }
  func child(for action: Action) -> ChildAction<Action, State>? {
    guard case .inner(let action) = action else { return nil }
    let child = ChildAction<Action, State>(Inner(mode: mode), action, at: \.inner, as: Action.inner)
    return shares ? child.sharing("list") : child
  }
}

// contract 2.19: lanes that a child shares with its parent
struct SharedLaneTests {
  private enum Action: Sendable {
    case own
    case row(Int, Outer.Action)
  }

  /// Executes actions that never end, of the view model, of rows and of their children, and returns those that have started.
  private func started(
    _ actions: [Action], in mode: ExecutionMode, rowsShare: Bool, innerShares: Bool
  ) -> [UInt64] {
    let scheduler = TestScheduler()
    let list = ClosureViewModel<Action, [Outer.State]>([.init(id: 1), .init(id: 2)], scheduler: scheduler) { _, _ in
      .never()
    } overrides: {
      $0.mode = { _, _ in mode }
      $0.child = { _, action in
        guard case .row(let id, let action) = action else { return nil }
        let row = ChildAction<Action, [Outer.State]>(
          Outer(mode: mode, shares: innerShares), action, at: \.self, id: id, as: { .row(id, $0) })
        return rowsShare ? row.sharing("other", "list") : row
      }
    }
    let steps = list.executionObservable.test()
    for action in actions { list.execute(action) }
    scheduler.run()
    list.clear()
    return steps.values.compactMap { if case .started = $0.phase { $0.id } else { nil } }
  }

  private static let actions: [Action] = [
    .own, .row(1, .own), .row(1, .inner(0)), .row(2, .own), .row(2, .inner(0)),
  ]

  @Test(
    arguments: [
      (false, false, [1, 2, 3, 4, 5]),
      // Each row shares the view model's lane, and the children of the rows have their own.
      (true, false, [1, 3, 5]),
      // The child of a row shares the row's lane.
      (false, true, [1, 2, 4]),
      // It shares the view model's, through the row.
      (true, true, [1]),
    ] as [(Bool, Bool, [UInt64])])
  func theLaneIsThatOfTheLevelThatShares(rowsShare: Bool, innerShares: Bool, expected: [UInt64]) {
    let started = started(Self.actions, in: .sequence("list"), rowsShare: rowsShare, innerShares: innerShares)
    #expect(started == expected)
  }

  // The child still has its own lanes with other names, and its own default lanes.
  @Test(arguments: [ExecutionMode.sequence("private"), .sequence])
  func onlyTheNamedLaneIsShared(mode: ExecutionMode) {
    #expect(started(Self.actions, in: mode, rowsShare: true, innerShares: true) == [1, 2, 3, 4, 5])
  }

  // A reload of the list cancels the deletion of a row, and a deletion waits for a load.
  @Test func otherModesOfTheLane() {
    let started = started(Self.actions, in: .switchLatest("list"), rowsShare: true, innerShares: true)
    #expect(started == [1, 2, 3, 4, 5])
    #expect(self.started(Self.actions, in: .dropWhileBusy("list"), rowsShare: true, innerShares: true) == [1])
  }
}
