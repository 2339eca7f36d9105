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

    var description: String { "\(isOver ? "after " : "")\(call) at \(place.fileAndLine)" }
  }

  /// An emitted state.
  struct Change: Sendable {
    let state: State
    /// The place in the one sequence of changes and occurrences.
    let number: Int
    let moment: Moment?
  }

  /// Something that the test asserts with an `expect`.
  struct Occurrence: Sendable {
    enum Kind: Sendable {
      /// An end other than a completion. The action is nil for an error that belongs to no action. The execution is nil for such an error
      /// too, and until the view model has announced the failure.
      case end(End, action: Action?, execution: Execution<Action, State>?)
      /// The end of an action whose child is absent.
      case refusal(Execution<Action, State>, child: String?)
      case route(any Sendable)
      case loading(Bool)
      /// An event of a stream that the store records.
      case event(Event<any Sendable>, stream: RecordedStream)
    }

    var kind: Kind
    /// The place in the one sequence of changes and occurrences.
    let number: Int
    let moment: Moment?
    /// Whether the test need not assert it, because another exhaustivity held when it happened.
    var isWaived = false
  }

  fileprivate struct Content {
    var state: State
    /// Whether the state stream has replayed the state at the store's making.
    var hasReplayed = false
    var changes: [Change] = []
    var occurrences: [Occurrence] = []
    /// The number of changes and occurrences so far.
    var count = 0
    var started: [UInt64: Started] = [:]
    var moment: Moment?
    /// The events that this store records, and others do not.
    var included: Exhaustivity.Included = []

    mutating func append(_ kind: Occurrence.Kind) {
      occurrences.append(Occurrence(kind: kind, number: count, moment: moment))
      count += 1
    }

    mutating func append(_ state: State) {
      changes.append(Change(state: state, number: count, moment: moment))
      count += 1
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

  /// The number of changes and occurrences so far.
  var count: Int { content.withLock { $0.count } }
  var included: Exhaustivity.Included { content.withLock { $0.included } }

  /// Removes and returns the changes that came before `number`.
  func takeChanges(before number: Int = .max) -> [Change] {
    content.withLock { content in
      let count = content.changes.prefix { $0.number < number }.count
      defer { content.changes.removeFirst(count) }
      return Array(content.changes.prefix(count))
    }
  }

  func removeOccurrences(_ numbers: Set<Int>) {
    let occurrences = occurrences
    content.withLock { $0.occurrences.removeAll { numbers.contains($0.number) } }
    withExtendedLifetime(occurrences) {}
  }

  /// Makes the test free not to assert the occurrences so far.
  func waiveOccurrences() {
    content.withLock { content in
      for index in content.occurrences.indices { content.occurrences[index].isWaived = true }
    }
  }

  /// Records this too, from now on. It goes on to record loading, which a test may assert later.
  func include(_ included: Exhaustivity.Included) {
    content.withLock { $0.included = $0.included.intersection(.loading).union(included) }
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
        onNext: { [weak viewModel] in self.note($0, of: viewModel, at: time.now) }, onCompleted: { self.noteEnd() }),
      viewModel.isLoadingObservable.skip(1).subscribe(onNext: { self.note(isLoading: $0) }),
    ]
  }

  func note(_ event: Event<any Sendable>, of stream: RecordedStream) {
    content.withLock { $0.append(.event(event, stream: stream)) }
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
    let isChange = self.state != state
    content.withLock { content in
      if isChange || content.hasReplayed && content.included.contains(.unchanged) { content.append(state) }
      content.hasReplayed = true
      swap(&content.state, &state)
    }
  }

  private func note(isLoading: Bool) {
    content.withLock { content in
      if content.included.contains(.loading) { content.append(.loading(isLoading)) }
    }
  }

  private func note(_ failure: ActionAndError<Action>) {
    content.withLock { $0.append(.end(.failed(failure.error), action: failure.action, execution: nil)) }
  }

  private func note(_ execution: Execution<Action, State>, of viewModel: RxViewModel<Action, State>?, at time: Duration)
  {
    switch execution.phase {
    case .started:
      content.withLock { $0.started[execution.id] = (execution, time) }
      return
    case .emitted:
      return
    case .cancelled:
      content.withLock { $0.append(.end(.cancelled, action: execution.action, execution: execution)) }
    case .dropped:
      if execution.reason == .refused {
        let child = viewModel.flatMap { $0.child(for: execution.action)?.absentChild(in: $0.currentState) }
        content.withLock { $0.append(.refusal(execution, child: child)) }
      } else {
        content.withLock { $0.append(.end(.dropped, action: execution.action, execution: execution)) }
      }
    case .failed:
      content.withLock { $0.complete(execution) }
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
  fileprivate mutating func complete(_ execution: Execution<Action, State>) {
    for index in occurrences.indices.reversed() {
      switch occurrences[index].kind {
      case .end(let end, action: let action?, execution: nil):
        occurrences[index].kind = .end(end, action: action, execution: execution)
      case .end, .refusal: return
      case .route, .loading, .event: continue
      }
    }
  }
}

extension StoreLog.Occurrence: CustomStringConvertible {
  /// Why the action has ended. Nil if this is no such end.
  private var endedExecution: Execution<Action, State>? {
    if case .end(_, _, let execution) = kind { execution } else { nil }
  }

  /// Whether a later action of its lane has cancelled this one.
  var isSuperseded: Bool { endedExecution?.reason == .superseded }

  /// Whether the mode of the action, or its batch, has dropped it.
  var isDropped: Bool { if case .end(.dropped, _, _) = kind { true } else { false } }

  /// Whether the child of the action is absent, which a test always has to assert.
  var isRefusal: Bool { if case .refusal = kind { true } else { false } }

  var isRoute: Bool { if case .route = kind { true } else { false } }

  /// The recorded stream of an event. Nil for ends, routes and loading, which have one order.
  var stream: RecordedStream? { if case .event(_, let stream) = kind { stream } else { nil } }

  /// The end of an action, and the action. Nil if this is no end.
  var end: (end: StoreLog.End, action: Action?)? {
    switch kind {
    case .end(let end, let action, _): (end, action)
    case .refusal(let execution, _): (.refused, execution.action)
    case .route, .loading, .event: nil
    }
  }

  /// The error of an action that has failed.
  var error: (any Error)? {
    if case .end(.failed(let error), _, _) = kind { error } else { nil }
  }

  var description: String {
    switch kind {
    case .end(let end, _, let execution?): "\(text(of: execution)): \(end)"
    case .end(let end, let action, nil): (action.map { "\(logText(of: $0)): " } ?? "") + "\(end)"
    case .refusal(let execution, let child):
      "\(text(of: execution)): refused, because its child is absent" + (child.map { ": \($0)" } ?? "")
    case .route(let route): "route \(logText(of: route))"
    case .loading(let isLoading): "isLoading: \(isLoading)"
    case .event(.next(let element), let stream): "\(logText(of: element)) of \(stream)"
    case .event(let event, let stream): "\(event) of \(stream)"
    }
  }

  private func text(of execution: Execution<Action, State>) -> String {
    "#\(execution.id) \(logText(of: execution.action)) \(execution.mode)"
  }
}
