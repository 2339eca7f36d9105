extension RxViewModel {
  /// Writes a line for each step of each action, with the properties of the state that it changes: for debugging, and
  /// for transcripts that a test compares.
  ///
  /// ```text
  /// #3 search("a") switchLatest: started
  /// #3 search("a"): query: "" → "a", isBusy: false → true
  /// #3 search("a"): failed: Offline
  /// ```
  ///
  /// The view model calls `write` on the scheduler, one line at a time, until you dispose the result. The log does not
  /// keep the view model alive.
  ///
  /// The first line of an action has its mode. A property that is itself a struct appears with its new value only. A
  /// state without properties is one value, as in `0 → 1`. A fold that changes nothing is `unchanged`, and a completion
  /// has no line. The lines hold no times and no addresses, and sets and dictionaries are sorted: the same script
  /// writes the same text.
  ///
  /// While the log is on, it costs a reflection of the state per fold. It costs nothing while it is off.
  public final func log(_ write: @escaping @Sendable (String) -> Void) -> any Disposable {
    engine.steps.subscribe(onNext: { step in
      if let line = step.line { write(line) }
    })
  }
}

extension LoggedStep {
  /// The step in words. Nil for a completion, which the fold before it has told of.
  fileprivate var line: String? {
    let name = "#\(execution.id) \(logText(of: execution.action))"
    let first = "\(name) \(execution.mode)"
    let text: String? =
      switch execution.phase {
      case .started: "\(first): started"
      case .emitted(let state): previous.map { "\(name): \(changes(from: $0, to: state))" }
      case .completed: nil
      case .failed(let error): "\(name): failed: \(logText(of: error))"
      case .cancelled: "\(hasStarted ? name : first): cancelled"
      case .dropped: "\(first): dropped"
      }
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

  /// What one value has become. Nil if it reads as before.
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
