/// The values of a property and the data that determines them, under one lock, so that a decision and the resulting event are one step.
final class PropertyValues<Value: Sendable, Detail: Sendable>: SubjectHost {
  struct State {
    var subject: SubjectState<Value>
    var detail: Detail
  }

  private let state: Lock<State>

  /// - Parameter value: The current value, or nil if it is not known yet.
  init(_ value: Value?, _ detail: Detail) {
    state = Lock(State(subject: SubjectState(ReplayBuffer(size: 1, value), replaysAfterEnd: true), detail: detail))
  }

  func withSubject<Result>(_ body: (inout SubjectState<Value>) -> Result) -> Result {
    state.withLock { body(&$0.subject) }
  }

  func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    state.withLock(body)
  }

  /// Changes the detail and accepts the event that `change` returns, in one step. Then delivers the event, unless
  /// another thread is delivering.
  ///
  /// - Parameter change: Called with the lock held: it must not run the user's code, nor release the user's objects.
  func update(_ change: (inout State) -> Event<Value>?) {
    var delivery = SubjectDelivery<Value>()
    var next: Event<Value>?
    let isDeliverer = state.withLock { state in
      next = change(&state)
      guard let event = next else { return false }
      return state.subject.accept(event, &delivery)
    }
    if isDeliverer { withUnsafePointer(to: next!) { deliver($0, &delivery) } }
  }
}

/// Whether `new` counts as equal to `old`. Also true for two values that do not equal themselves, such as NaN: if they counted as a change,
/// each change would cause the next one, endlessly.
func isUnchanged<Value: Equatable>(_ old: Value, _ new: Value) -> Bool {
  old == new || old != old && new != new
}
