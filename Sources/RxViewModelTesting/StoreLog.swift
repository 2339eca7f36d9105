import RxViewModel

/// Records what a ``TestStore`` has not asserted yet: the changes and ends of its view model, and the routes of its navigator.
///
/// The view model's streams and the navigator write to it, on the thread on which they emit. The store reads it on the test's thread.
final class StoreLog<Action: Sendable, State: Sendable & Equatable>: Sendable {
  typealias End = TestStore<Action, State>.End
  typealias Started = (execution: Execution<Action, State>, time: Duration)

  /// When something happened: during a call of the store, or after it.
  struct Moment: Sendable, CustomStringConvertible {
    let call: StaticString
    let place: TestFailure.Place
    var isOver = false

    var description: String { "\(isOver ? "after " : "")\(call) at \(place)" }
  }

  struct Change: Sendable {
    let state: State
    let moment: Moment?
  }

  /// Something that the test has to name.
  struct Occurrence: Sendable {
    enum Kind: Sendable {
      /// An end other than a completion. The action is nil for an error that belongs to no action. The execution is nil for such an error
      /// too, and until the view model has announced the failure.
      case end(End, action: Action?, execution: Execution<Action, State>?)
      case route(any Sendable)
    }

    var kind: Kind
    let moment: Moment?
  }

  fileprivate struct Content {
    var state: State
    var changes: [Change] = []
    var occurrences: [Occurrence] = []
    var started: [UInt64: Started] = [:]
    var moment: Moment?

    mutating func append(_ kind: Occurrence.Kind) {
      occurrences.append(Occurrence(kind: kind, moment: moment))
    }
  }

  private let content: Lock<Content>

  init(_ state: State) {
    content = Lock(Content(state: state))
  }

  var state: State { content.withLock { $0.state } }
  var changes: [Change] { content.withLock { $0.changes } }
  var occurrences: [Occurrence] { content.withLock { $0.occurrences } }
  /// The running actions, by their numbers.
  var started: [UInt64: Started] { content.withLock { $0.started } }

  func takeChanges() -> [Change] {
    var changes: [Change] = []
    content.withLock { swap(&changes, &$0.changes) }
    return changes
  }

  func removeOccurrences(through index: Int) {
    let occurrences = occurrences
    content.withLock { $0.occurrences.removeSubrange(...index) }
    withExtendedLifetime(occurrences) {}
  }

  /// Says what the test does from now on.
  func begin(_ call: StaticString, _ place: TestFailure.Place) {
    content.withLock { $0.moment = Moment(call: call, place: place) }
  }

  /// Says that the call has ended.
  func endCall() {
    content.withLock { $0.moment?.isOver = true }
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

  func note(routes: [any Sendable]) {
    content.withLock { content in
      for route in routes { content.append(.route(route)) }
    }
  }

  private func note(_ state: State) {
    // Compared outside the lock, because `==` is the user's code. The stream is serial, so no other state comes in
    // between.
    var state = state
    if self.state == state { return }
    content.withLock { content in
      content.changes.append(Change(state: state, moment: content.moment))
      swap(&content.state, &state)
    }
  }

  private func note(_ failure: ActionAndError<Action>) {
    content.withLock { $0.append(.end(.failed(failure.error), action: failure.action, execution: nil)) }
  }

  private func note(_ execution: Execution<Action, State>, at time: Duration) {
    switch execution.phase {
    case .started:
      content.withLock { $0.started[execution.id] = (execution, time) }
      return
    case .emitted:
      return
    case .cancelled:
      content.withLock { $0.append(.end(.cancelled, action: execution.action, execution: execution)) }
    case .dropped:
      let end = execution.reason == .refused ? End.refused : .dropped
      content.withLock { $0.append(.end(end, action: execution.action, execution: execution)) }
    case .failed:
      content.withLock { $0.name(execution) }
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

extension StoreLog.Content {
  /// Completes the errors of an action that has failed. They have just arrived, without its id, perhaps with routes between them.
  fileprivate mutating func name(_ execution: Execution<Action, State>) {
    for index in occurrences.indices.reversed() {
      switch occurrences[index].kind {
      case .end(let end, action: let action?, execution: nil):
        occurrences[index].kind = .end(end, action: action, execution: execution)
      case .end: return
      case .route: continue
      }
    }
  }
}

extension StoreLog.Occurrence: CustomStringConvertible {
  /// Whether a later action of its lane has cancelled this one.
  var isSuperseded: Bool {
    if case .end(_, _, let execution?) = kind { execution.reason == .superseded } else { false }
  }

  /// Whether the child of the action is absent, which a test always has to name.
  var isRefused: Bool {
    if case .end(.refused, _, _) = kind { true } else { false }
  }

  /// The error of an action that has failed.
  var error: (any Error)? {
    if case .end(.failed(let error), _, _) = kind { error } else { nil }
  }

  var description: String {
    switch kind {
    case .end(let end, _, let execution?):
      "#\(execution.id) \(logText(of: execution.action)) \(execution.mode): \(end)"
    case .end(let end, let action, nil): (action.map { "\(logText(of: $0)): " } ?? "") + "\(end)"
    case .route(let route): "route \(logText(of: route))"
    }
  }
}
