/// The values of a property that is written by actions.
///
/// While an action that the property has executed is unfinished, the value is the one written last. Otherwise it is the part of the state.
final class OptimisticValues<Value: Sendable & Equatable>: SubjectHost {
  struct Detail {
    /// The part of the state that the streams have delivered last.
    var part: Value
    /// The value written last, while an action of a write is unfinished.
    var written: Value?
    /// The number of unfinished actions of writes.
    var unfinished = 0
    /// The number of writes so far.
    var writes: UInt64 = 0
    var updaters = Updaters()
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

  /// The part of the state that the streams have delivered last.
  var part: Value {
    values.withLock { $0.detail.part }
  }

  /// Stores the part of a newly delivered state. Subscribers see it, unless a written value hides it.
  func stateHasChanged(to part: Value) {
    var displaced: Value? = part
    values.update { state in
      swap(&displaced!, &state.detail.part)
      return state.detail.written == nil ? .next(part) : nil
    }
  }

  /// Completes the values, when the view model and its actions have ended. Before that, it replaces a written value by the state's.
  func complete() {
    var dropped: Value?
    values.update { state in
      state.detail.unfinished = 0
      swap(&dropped, &state.detail.written)
      return dropped == nil ? nil : .next(state.detail.part)
    }
    values.update { _ in .completed }
  }

  /// Called before the body of an update. Returns the value written last, and the number of writes.
  func beginUpdate() -> (written: Value?, lastWrite: UInt64) {
    values.withLock { state in
      state.detail.updaters.begin()
      return (state.detail.written, state.detail.writes)
    }
  }

  func endUpdate() {
    values.withLock { $0.detail.updaters.end() }
  }

  /// Writes a value. Returns false if there has been another write since `lastWrite`.
  ///
  /// - Parameters:
  ///   - lastWrite: The number of writes before this update, or nil for a write that is no update.
  ///   - accept: Accepts the action of this write. Returns false if the engine turns the action away. Called with the
  ///     lock held, so that the engine accepts the actions of two writes in the order of the writes. It takes the lock
  ///     of the engine's inbox, under which no lock of a property is taken.
  ///   - schedule: Called after that without the lock, before the subscribers get the value.
  func write(_ value: Value, after lastWrite: UInt64?, accept: () -> Bool, schedule: () -> Void) -> Bool {
    var displaced: Value?
    var isLatest = true
    values.update(
      { state in
        if let lastWrite {
          state.detail.updaters.end()
          isLatest = state.detail.writes == lastWrite
        }
        state.detail.updaters.requireNoneHere()
        if !isLatest || !accept() { return nil }
        state.detail.writes += 1
        state.detail.unfinished += 1
        displaced = value
        swap(&displaced, &state.detail.written)
        return .next(value)
      }, beforeDelivery: { if isLatest { schedule() } })
    return isLatest
  }

  /// Counts the action of a write as ended, whatever its outcome. After the last one the value is the state's again.
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
