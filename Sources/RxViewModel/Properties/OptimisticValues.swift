/// The values of a property that is written by actions.
///
/// The value is the one written last, until the action of that write has answered or ended. Otherwise it is the part of the state. An older
/// write never shows again.
final class OptimisticValues<Value: Sendable & Equatable>: SubjectHost {
  struct Write: Sendable {
    let value: Value
    /// Identifies the action of this write, until that has ended.
    let run: ObjectIdentifier
    /// Accepts the action of this write, and returns what schedules it. Returns nil if the engine turns the action away. Called with the
    /// lock held, so that the engine accepts the actions of two writes in the order of the writes. It takes the lock of the engine's
    /// inbox, under which no lock of a property is taken.
    let accept: @Sendable () -> (@Sendable () -> Void)?
  }

  struct Detail {
    /// The part of the state that the streams have delivered last, or are delivering.
    var part: Value
    /// Whether the part is that of a state which this object gets from the streams next.
    var isAhead = false
    /// Whether the state delivered last has changed the part. Known only while a write is shown.
    var hasChanged = false
    /// The value written last, until its action has answered or ended.
    var written: Value?
    /// The action of that value.
    var run: ObjectIdentifier?
    /// The number of writes so far.
    var writes: UInt64 = 0
    var updaters = Updaters<Write>()
  }

  private let values: PropertyValues<Value, Detail>

  init(_ part: Value) {
    values = PropertyValues(part, Detail(part: part))
  }

  func withSubject<Result>(_ body: (inout SubjectState<Value>) -> Result) -> Result {
    values.withSubject(body)
  }

  /// The value written last, until its action has answered or ended, or while the write waits for an update.
  var written: Value? {
    values.withLock { $0.detail.updaters.held?.last?.value ?? $0.detail.written }
  }

  /// The part of the state that the streams have delivered last.
  var part: Value {
    values.withLock { $0.detail.part }
  }

  /// Stores the part of a newly delivered state. Subscribers see it, unless a written value hides it. Called on the scheduler.
  ///
  /// - Parameter isAhead: Whether an observer of that state has subscribed here before this object gets the state from the streams.
  func stateHasChanged(to part: Value, isAhead: Bool = false) {
    // Only this function changes the part. The action of a later write cannot have folded this state.
    let (old, isHidden) = values.withLock { ($0.detail.part, $0.detail.run != nil) }
    let hasChanged = (isHidden || isAhead) && !isUnchanged(old, part)
    if isAhead, !hasChanged { return }
    var displaced: Value? = part
    values.update { state in
      if !state.detail.isAhead { state.detail.hasChanged = isHidden && hasChanged }
      state.detail.isAhead = isAhead
      swap(&displaced!, &state.detail.part)
      return state.detail.written == nil ? .next(part) : nil
    }
  }

  /// Completes the values, when the view model and its actions have ended. Before that, it replaces a written value by the state's.
  func complete() {
    var dropped: Value?
    values.update { state in
      state.detail.run = nil
      swap(&dropped, &state.detail.written)
      return dropped == nil ? nil : .next(state.detail.part)
    }
    values.update { _ in .completed }
  }

  /// Called before the body of an update. Returns the value written last, and the number of writes.
  func beginUpdate(_ attempt: inout UpdateAttempt) -> (written: Value?, lastWrite: UInt64) {
    values.withLock { state in
      state.detail.updaters.beginAttempt(&attempt)
      let held = attempt.hasTurn ? nil : state.detail.updaters.held?.last?.value
      return (held ?? state.detail.written, state.detail.updaters.number(state.detail.writes, attempt))
    }
  }

  /// Ends an attempt that writes nothing.
  func endUpdate(_ attempt: UpdateAttempt) {
    make { detail in
      detail.updaters.endAttempt()
      return attempt.hasTurn ? detail.updaters.endTurn() : []
    }
  }

  /// Writes a value. Returns false if there has been another write since the attempt of the update began, which then ends without a write.
  ///
  /// - Parameter update: The attempt, and the number of writes before it. Nil for an assignment.
  func write(_ write: Write, _ update: (lastWrite: UInt64, attempt: UpdateAttempt)? = nil) -> Bool {
    var isLatest = true
    make { detail in
      guard let (lastWrite, attempt) = update else { return detail.updaters.holds(write) ? [] : [write] }
      detail.updaters.endAttempt()
      isLatest = detail.updaters.number(detail.writes, attempt) == lastWrite
      if !isLatest { return [] }
      if attempt.hasTurn { return [write] + detail.updaters.endTurn() }
      return detail.updaters.follows(write) ? [] : [write]
    }
    return isLatest
  }

  /// The values. A new subscriber gets the value written last, even if that write waits for an update, which then starts again.
  ///
  /// - Parameter delivered: The part of the state that the calling thread is delivering, or has delivered last. Nil on another thread.
  func changes(_ delivered: @escaping @Sendable () -> Value?) -> Observable<Value> {
    Observable(
      .subject { [self] in
        if let part = delivered() { stateHasChanged(to: part, isAhead: true) }
        make { $0.updaters.takeHeld() }
        return connect($0, $1)
      })
  }

  /// Makes the writes that `decide` returns, as one step with its decision. Then schedules their actions, and delivers their values.
  private func make(_ decide: (inout Detail) -> [Write]) {
    var (writes, displaced, schedules) = ([Write](), [Value?](), [@Sendable () -> Void]())
    var (delivery, replaced, next) = (SubjectDelivery<Value>(), [Value?](), Event<Value>?.none)
    values.withLock { state in
      writes = decide(&state.detail)
      let accepted = writes.filter { write in write.accept().map { schedules.append($0) } != nil }
      for write in accepted {
        state.detail.writes += 1
        state.detail.run = write.run
        displaced.append(state.detail.written)
        state.detail.written = write.value
      }
      next = state.subject.take(accepted.map { .next($0.value) }, &delivery, &replaced)
    }
    for schedule in schedules { schedule() }
    if let next { withUnsafePointer(to: next) { deliver($0, &delivery) } }
  }

  /// Called after a fold of the action of a write has been delivered. Ends the write if the fold is an answer: if it has changed the part,
  /// or has left it at the written value.
  func actionHasFolded(_ run: AnyObject) {
    let newest = values.withLock { state in
      state.detail.run == ObjectIdentifier(run) ? state.detail : nil
    }
    guard let newest, let written = newest.written else { return }
    if newest.hasChanged || isUnchanged(newest.part, written) { end(run) }
  }

  /// Ends the write of an action, if none is newer: the value is the state's again.
  func actionHasEnded(_ run: AnyObject, _ result: Result<AnyObject, any Error>) { end(run) }

  private func end(_ run: AnyObject) {
    var dropped: Value?
    values.update { state in
      if state.detail.run != ObjectIdentifier(run) { return nil }
      state.detail.run = nil
      swap(&dropped, &state.detail.written)
      return .next(state.detail.part)
    }
  }
}
