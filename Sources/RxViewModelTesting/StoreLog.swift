import RxViewModel

/// Records the changes and ends of a view model that a ``TestStore`` has not asserted yet.
///
/// The view model's streams write to it, on the thread on which they emit. The store reads it on the test's thread.
final class StoreLog<Action: Sendable, State: Sendable & Equatable>: Sendable {
  typealias Started = (execution: Execution<Action, State>, time: Duration)

  /// An action that has ended in another way than by completing.
  struct Ended: Sendable, CustomStringConvertible {
    let end: TestStore<Action, State>.End
    /// Nil for an error that belongs to no action.
    let action: Action?
    /// Nil for an error that belongs to no action, and until the view model has announced the failure.
    var execution: Execution<Action, State>?

    var description: String {
      if let execution { return "#\(execution.id) \(execution.action) \(execution.mode): \(end)" }
      return action.map { "\($0): \(end)" } ?? "\(end)"
    }
  }

  private struct Content {
    var state: State
    var changes: [State] = []
    var ends: [Ended] = []
    var started: [UInt64: Started] = [:]
  }

  private let content: Lock<Content>

  init(_ state: State) {
    content = Lock(Content(state: state))
  }

  var state: State { content.withLock { $0.state } }
  var changes: [State] { content.withLock { $0.changes } }
  var ends: [Ended] { content.withLock { $0.ends } }

  /// The running actions, in the order of acceptance.
  var started: [Started] {
    content.withLock { $0.started }.values.sorted { $0.execution.id < $1.execution.id }
  }

  func takeChanges() -> [State] {
    var changes: [State] = []
    content.withLock { swap(&changes, &$0.changes) }
    return changes
  }

  func removeEnds(through index: Int) {
    let ends = ends
    content.withLock { $0.ends.removeSubrange(...index) }
    withExtendedLifetime(ends) {}
  }

  // MARK: Writing

  func observe(_ viewModel: RxViewModel<Action, State>, _ time: VirtualTime) -> [any Disposable] {
    [
      viewModel.stateObservable.subscribe(onNext: { self.note($0) }),
      viewModel.actionAndErrorObservable.subscribe(onNext: { self.note($0) }),
      viewModel.executionObservable.subscribe(
        onNext: { self.note($0, at: time.now) }, onCompleted: { self.noteEnd() }),
    ]
  }

  private func note(_ state: State) {
    // Compared outside the lock, because `==` is the user's code. The stream is serial, so no other state comes in
    // between.
    var state = state
    if self.state == state { return }
    content.withLock { content in
      content.changes.append(state)
      swap(&content.state, &state)
    }
  }

  private func note(_ failure: ActionAndError<Action>) {
    content.withLock {
      $0.ends.append(Ended(end: .failed(failure.error), action: failure.action))
    }
  }

  private func note(_ execution: Execution<Action, State>, at time: Duration) {
    switch execution.phase {
    case .started:
      content.withLock { $0.started[execution.id] = (execution, time) }
      return
    case .emitted:
      return
    case .cancelled:
      content.withLock { $0.ends.append(Ended(end: .cancelled, action: execution.action, execution: execution)) }
    case .dropped:
      content.withLock { $0.ends.append(Ended(end: .dropped, action: execution.action, execution: execution)) }
    case .failed:
      // The errors of this action have just arrived, without its id.
      content.withLock { content in
        var index = content.ends.count
        while index > 0, content.ends[index - 1].execution == nil, content.ends[index - 1].action != nil {
          index -= 1
          content.ends[index].execution = execution
        }
      }
    case .completed:
      break
    }
    _ = content.withLock { $0.started.removeValue(forKey: execution.id) }
  }

  /// Removes the running actions, because the view model and its actions have ended.
  private func noteEnd() {
    var started: [UInt64: Started] = [:]
    content.withLock { swap(&started, &$0.started) }
  }
}
