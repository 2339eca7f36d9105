extension RxViewModel {
  /// Writes a line for each step of each action, with the properties of the state that it changes: for debugging, and
  /// for transcripts that a test compares.
  ///
  /// ```text
  /// #3 search("a") switchLatest: started
  /// #3 search("a"): query: "" → "a", isBusy: false → true
  /// #3 search("a"): failed: Offline()
  /// #5 login dropWhileBusy: dropped (busy with #4)
  /// ```
  ///
  /// The view model calls `write` on the scheduler, one line at a time, until you dispose the result. The log doesn't keep the view model
  /// alive.
  ///
  /// The first line of an action contains its mode. For a property that is itself a struct, the line shows only the new value, unless the
  /// struct is `CustomStringConvertible`. A state without properties is shown as one value, as in `0 → 1`. A fold that changes no text is
  /// `unchanged`, and a completion has no line. The lines contain no times and no addresses, and show sets and dictionaries in sorted
  /// order, so the same script writes the same text.
  ///
  /// While the log is on, each fold costs one reflection of the state. A view model that has never had a log pays nothing. After you
  /// dispose the log, the steps still cost what ``executionObservable`` costs, but no reflection.
  public final func log(_ write: @escaping @Sendable (String) -> Void) -> any Disposable {
    // The state stream shows what the sources change, so that it does not count as a change of the next action.
    let states = stateObservable.map { (state: State) -> LoggedEvent<Action, State> in .state(state) }
    let steps = executionObservable.map { (step: Execution) -> LoggedEvent<Action, State> in .step(step) }
    return Observable.lifting(states.merge(with: steps), ActionLog<Action, State>()) { log, event, sink in
      log.line(of: event).map(sink.next) ?? .more
    }.subscribe(onNext: write)
  }
}

private enum LoggedEvent<Action: Sendable, State: Sendable>: Sendable {
  case state(State)
  case step(Execution<Action, State>)
}

/// The state of a log.
private struct ActionLog<Action: Sendable, State: Sendable>: Sendable {
  /// The state before the last fold, and after it.
  var previous: State?
  var current: State?
  /// The actions for which a line with the mode has been written, and no end yet.
  var begun: Set<UInt64> = []
}

extension ActionLog {
  fileprivate mutating func line(of event: LoggedEvent<Action, State>) -> String? {
    switch event {
    case .state(let state):
      (previous, current) = (current, state)
      return nil
    case .step(let step): return line(of: step)
    }
  }

  /// The text of the step. Nil for a completion, because the line of the previous fold shows its state.
  fileprivate mutating func line(of execution: Execution<Action, State>) -> String? {
    let name = "#\(execution.id) \(logText(of: execution.action))"
    let first = "\(name) \(execution.mode)"
    var text: String?
    let hasBegun = begun.remove(execution.id) != nil
    switch execution.phase {
    case .waiting, .started:
      text = "\(hasBegun ? name : first): \(execution.phase)"
      begun.insert(execution.id)
    case .emitted(let state):
      text = previous.map { "\(name): \(changes(from: $0, to: state))" }
      if hasBegun { begun.insert(execution.id) }
    case .completed: break
    case .failed(let error): text = "\(name): failed: \(logText(of: error))"
    case .cancelled, .dropped: text = "\(hasBegun ? name : first): \(execution.phase)"
    }
    if let cause = execution.cause { text? += " (\(cause))" }
    return text.map { $0.contains(where: \.isNewline) ? String($0.map { $0.isNewline ? " " : $0 }) : $0 }
  }

  private func changes(from previous: State, to state: State) -> String {
    let (old, new) = (Mirror(reflecting: previous), Mirror(reflecting: state))
    guard isStructured(new), isStructured(old) else { return change(from: previous, to: state) ?? "unchanged" }
    let changes = zip(old.children, new.children).compactMap { old, new in
      change(from: old.value, to: new.value).map { "\(new.label ?? "?"): \($0)" }
    }
    return changes.isEmpty ? "unchanged" : changes.joined(separator: ", ")
  }

  /// The text for the change of one value. Nil if its text has not changed.
  private func change(from old: Any, to new: Any) -> String? {
    let (oldText, newText) = (logText(of: old), logText(of: new))
    if oldText == newText { return nil }
    return isNestedStruct(new) ? newText : "\(oldText) → \(newText)"
  }

  private func isStructured(_ state: Mirror) -> Bool {
    switch state.displayStyle {
    case .struct, .class: !state.children.isEmpty
    case .tuple: state.children.allSatisfy { $0.label?.hasPrefix(".") == false }
    default: false
    }
  }

  private func isNestedStruct(_ value: Any) -> Bool {
    Mirror(reflecting: value).displayStyle == .struct && !(value is any CustomStringConvertible)
  }
}
