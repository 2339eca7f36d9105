import RxViewModel

/// What has happened and a ``TestStore`` has not asserted yet, in one sequence.
///
/// The view model's streams and the navigator write to it, on the thread on which they emit. The store reads it on the test's thread.
final class StoreLog<Action: Sendable, State: Sendable & Equatable>: Sendable {
  typealias End = TestStore<Action, State>.End

  enum Kind: Sendable {
    /// A change of the state, or a fold that has changed nothing.
    case change(from: State, to: State)
    /// An end other than a completion. The action is nil for an error that belongs to no action.
    case end(End, of: Action?, ExecutionCause? = nil)
    case route(any Sendable)
    case loading(Bool)
    /// An event of a stream that the store records.
    case sent(Event<any Sendable>, by: any AnyObject & Sendable)
  }

  struct Entry: Sendable {
    let kind: Kind
    let number: Int
    /// During which call of the store it happened, or after which.
    let moment: String
    /// Whether the test has to assert it, by the exhaustivity at its time.
    let isRequired: Bool
  }

  fileprivate struct Content {
    var state: State
    var exhaustivity: Exhaustivity
    /// Whether the state stream has replayed the state at the store's making.
    var hasReplayed = false
    var entries: [Entry] = []
    var count = 0
    /// The times at which the running actions have started.
    var started: [UInt64: Duration] = [:]
    /// The actions that have been announced, for the texts of causes.
    var actions: [UInt64: Action] = [:]
    var moment = "before the first call of the store"

    mutating func append(_ kind: Kind, isRequired: Bool? = nil) {
      count += 1
      entries.append(
        Entry(kind: kind, number: count, moment: moment, isRequired: isRequired ?? !exhaustivity.isOff))
    }
  }

  private let content: Lock<Content>

  init(_ state: State, _ exhaustivity: Exhaustivity) {
    content = Lock(Content(state: state, exhaustivity: exhaustivity))
  }

  var state: State { content.withLock { $0.state } }
  var entries: [Entry] { content.withLock { $0.entries } }
  var started: [UInt64: Duration] { content.withLock { $0.started } }

  var exhaustivity: Exhaustivity {
    get { content.withLock { $0.exhaustivity } }
    set { content.withLock { $0.exhaustivity = newValue } }
  }

  /// Removes the entries up to this one.
  func removeEntries(through last: Entry) {
    // Held until after the lock, because the entries have values of the user's.
    let entries = entries
    content.withLock { $0.entries.removeFirst(entries.prefix { $0.number <= last.number }.count) }
  }

  /// Says what the test does from now on.
  func begin(_ call: StaticString, _ place: TestFailure.Place) {
    content.withLock { $0.moment = "\(call) at \(place)" }
  }

  func endCall() {
    content.withLock { $0.moment = "after \($0.moment)" }
  }

  // MARK: Writing

  func observe(_ viewModel: RxViewModel<Action, State>, _ time: VirtualTime) -> [any Disposable] {
    [
      viewModel.stateObservable.subscribe(onNext: { self.note($0) }),
      viewModel.actionAndErrorObservable.subscribe(onNext: { failure in
        self.content.withLock { $0.append(.end(.failed(failure.error), of: failure.action)) }
      }),
      viewModel.executionObservable.subscribe(
        onNext: { self.note($0, at: time.now) },
        onCompleted: { self.content.withLock { $0.started = [:] } }),
      viewModel.isLoadingObservable.skip(1).subscribe(onNext: { isLoading in
        self.content.withLock {
          $0.append(.loading(isLoading), isRequired: $0.exhaustivity.included.contains(.loading))
        }
      }),
    ]
  }

  func note(_ event: Event<any Sendable>, of stream: any AnyObject & Sendable) {
    content.withLock { $0.append(.sent(event, by: stream)) }
  }

  func note(routes: [any Sendable]) {
    content.withLock { content in
      for route in routes { content.append(.route(route)) }
    }
  }

  private func note(_ state: State) {
    // Compared outside the lock, because `==` is the user's code. The stream is serial, so no other state comes in
    // between.
    var before = self.state
    let isChange = before != state
    content.withLock { content in
      swap(&content.state, &before)
      content.state = state
      if isChange || content.hasReplayed && content.exhaustivity.included.contains(.unchanged) {
        content.append(.change(from: before, to: state))
      }
      content.hasReplayed = true
    }
  }

  private func note(_ execution: Execution<Action, State>, at time: Duration) {
    content.withLock { content in
      if content.actions[execution.id] == nil { content.actions[execution.id] = execution.action }
      let (ignored, isOff) = (content.exhaustivity.ignored, content.exhaustivity.isOff)
      switch execution.phase {
      case .started:
        content.started[execution.id] = time
        return
      case .waiting, .emitted: return
      case .completed, .failed: break
      case .cancelled:
        let isSuperseded = if case .superseded? = execution.cause { true } else { false }
        content.append(
          .end(.cancelled, of: execution.action, execution.cause),
          isRequired: !isOff && !(isSuperseded && ignored.contains(.superseded)))
      case .dropped:
        let isRefused = if case .absentChild? = execution.cause { true } else { false }
        content.append(
          .end(isRefused ? .refused : .dropped, of: execution.action, execution.cause),
          isRequired: isRefused || !isOff && !ignored.contains(.dropped))
      }
      content.started[execution.id] = nil
    }
  }
}

extension StoreLog.Entry {
  /// The states of a change. Nil if this is none.
  var change: (before: State, after: State)? {
    if case .change(let before, let after) = kind { (before, after) } else { nil }
  }
}

extension StoreLog {
  /// What has happened, as lines of a failure's text.
  func lines(of entry: Entry) -> [String] {
    guard let (before, after) = entry.change else { return ["\(text(of: entry.kind)) (\(entry.moment))"] }
    if before == after { return ["a fold changed nothing (\(entry.moment))"] }
    return ["the state changed (\(entry.moment)), - before, + after:"] + differences(before, after)
  }

  private func text(of cause: ExecutionCause) -> String {
    if case .absentChild(let name) = cause { return ": \(name)" }
    let actions = content.withLock { $0.actions }
    return " (\(cause.text { id in "#\(id)" + (actions[id].map { " \(logText(of: $0))" } ?? "") }))"
  }

  private func text(of kind: Kind) -> String {
    switch kind {
    case .change: "a change of the state"
    case .end(let end, let action, let cause):
      (action.map { "\(logText(of: $0)): " } ?? "") + "\(end)" + (cause.map { text(of: $0) } ?? "")
    case .route(let route): "route \(logText(of: route))"
    case .loading(let isLoading): "isLoading: \(isLoading)"
    case .sent(.next(let element), let stream): "\(logText(of: element)) of \(stream)"
    case .sent(let event, let stream): "\(event) of \(stream)"
    }
  }
}

extension StoreLog.Kind {
  /// The error of an action that has failed.
  var error: (any Error)? {
    if case .end(let end, _, _) = self { end.error } else { nil }
  }
}
