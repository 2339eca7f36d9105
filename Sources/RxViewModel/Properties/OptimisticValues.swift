/// The values of a property that is written by actions: what has been written last while one of its actions is unfinished, otherwise
/// the part of the state.
final class OptimisticValues<Value: Sendable & Equatable>: SubjectHost {
  struct Detail {
    /// The part of the state that the streams have delivered last.
    var part: Value
    /// What has been written last, while an action that a write has sent is unfinished.
    var written: Value?
    /// How many of these actions are unfinished.
    var unfinished = 0
  }

  private let values: PropertyValues<Value, Detail>

  init(_ part: Value) {
    values = PropertyValues(part, Detail(part: part))
  }

  func withSubject<Result>(_ body: (inout SubjectState<Value>) -> Result) -> Result {
    values.withSubject(body)
  }

  var written: Value? {
    values.withLock { $0.detail.written }
  }

  /// The part of the state that was delivered last.
  var part: Value {
    values.withLock { $0.detail.part }
  }

  /// A state has been delivered.
  func stateHasChanged(to part: Value) {
    var displaced: Value? = part
    values.update { state in
      swap(&displaced!, &state.detail.part)
      return state.detail.written == nil ? .next(part) : nil
    }
  }

  /// The view model has ended, and its actions with it.
  func complete() {
    var dropped: Value?
    values.update { state in
      state.detail.unfinished = 0
      swap(&dropped, &state.detail.written)
      return dropped == nil ? nil : .next(state.detail.part)
    }
    values.update { _ in .completed }
  }

  /// Writes a value.
  ///
  /// - Parameters:
  ///   - accept: Accepts the action of this write; false if it is turned away. Runs under the lock, so that the actions of two writes
  ///     are accepted in the order of the writes.
  ///   - schedule: Runs then, without the lock, before subscribers are told.
  func write(_ value: Value, accept: () -> Bool, schedule: () -> Void) {
    var displaced: Value?
    values.update(
      { state in
        if !accept() { return nil }
        state.detail.unfinished += 1
        displaced = value
        swap(&displaced, &state.detail.written)
        return .next(value)
      }, beforeDelivery: schedule)
  }

  /// An action that a write has sent has ended, well or not.
  func actionHasEnded() {
    var dropped: Value?
    values.update { state in
      if state.detail.unfinished == 0 { return nil }
      state.detail.unfinished -= 1
      if state.detail.unfinished > 0 { return nil }
      swap(&dropped, &state.detail.written)
      return .next(state.detail.part)
    }
  }
}
