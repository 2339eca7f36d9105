/// The values of a property that is written by actions.
///
/// The value is the one written last, until the action of that write has folded once, or has ended. Otherwise it is the part of the state.
/// An older write never shows again.
final class WrittenValues<Value: Sendable & Equatable>: SubjectHost {
  struct Write: Sendable {
    let value: Value
    /// Identifies the action of this write, until that has ended.
    let run: ObjectIdentifier
    /// Accepts the action of this write, and returns what schedules it. Returns nil if the engine turns the action away. Called with the
    /// lock held, so that the engine accepts the actions of two writes in the order of the writes. It takes the engine's lock, under which
    /// no lock of a property is taken.
    let accept: @Sendable () -> (@Sendable () -> Void)?
  }

  private struct State {
    /// Its last element is the value.
    var subject: SubjectState<Value>
    /// The part of the state that the streams have delivered last, or are delivering.
    var part: Value
    /// The action of the write that the value shows. Nil while the value is the part.
    var run: ObjectIdentifier?
    /// The number of writes.
    var writes: UInt64 = 0
  }

  private let state: Lock<State>

  init(_ part: Value) {
    state = Lock(State(subject: SubjectState(size: 1, part, replaysAfterEnd: true), part: part))
  }

  func withSubject<Result>(_ body: (inout SubjectState<Value>) -> Result) -> Result {
    state.withLock { body(&$0.subject) }
  }

  /// The value written last, while it shows.
  var written: Value? {
    state.withLock { $0.run == nil ? nil : $0.subject.buffer.last }
  }

  /// Called before the body of an update. Returns the value written last, while it shows, and the number of writes.
  func beginUpdate() -> (written: Value?, number: UInt64) {
    state.withLock { state in
      _ = state.subject.beginUpdate()
      return (state.run == nil ? nil : state.subject.buffer.last, state.writes)
    }
  }

  /// The part of the state that the streams have delivered last.
  var part: Value {
    state.withLock { $0.part }
  }

  /// Stores the part of a newly delivered state. Subscribers see it, unless a written value hides it. Called on the scheduler.
  func stateHasChanged(to part: Value) {
    var displaced = part
    send { state in
      swap(&displaced, &state.part)
      return state.run == nil ? part : nil
    }
  }

  /// Completes the values, when the view model and its actions have ended.
  func complete() {
    endWrite(of: nil)
    end(nil)
  }

  /// Writes a value. Returns false, and writes nothing, if there have been more than `number` writes.
  func write(_ write: Write, after number: UInt64? = nil) -> Bool {
    var (isLatest, schedule) = (true, (@Sendable () -> Void)?.none)
    send { state in
      state.subject.requireNoUpdateHere()
      isLatest = number == nil || number == state.writes
      schedule = isLatest ? write.accept() : nil
      if schedule == nil { return nil }
      (state.run, state.writes) = (write.run, state.writes + 1)
      return write.value
    } beforeDelivery: {
      schedule?()
    }
    return isLatest
  }

  /// The values. A new subscriber on the thread that is delivering a state gets none older than that.
  ///
  /// - Parameter delivered: The part of the state that the calling thread is delivering, or has delivered last. Nil on another thread.
  func changes(_ delivered: @escaping @Sendable () -> Value?) -> Observable<Value> {
    Observable(
      .subject { [self] in
        if let part = delivered(), !isUnchanged(self.part, part) { stateHasChanged(to: part) }
        return connect($0, $1)
      })
  }

  /// Called after a fold of the action of a write has been delivered.
  func actionHasFolded(_ run: AnyObject) { endWrite(of: ObjectIdentifier(run)) }

  func actionHasEnded(_ run: AnyObject, _ result: Result<AnyObject, any Error>) { endWrite(of: ObjectIdentifier(run)) }

  /// Ends the write of an action, or any write: the value is the state's again.
  private func endWrite(of run: ObjectIdentifier?) {
    send { state in
      if state.run == nil || run != nil && run != state.run { return nil }
      state.run = nil
      return state.part
    }
  }

  /// Changes the state and accepts the value that `change` returns, in one step, then delivers the value.
  ///
  /// - Parameter change: Called with the lock held: it must not run the user's code, nor release the user's objects.
  private func send(_ change: (inout State) -> Value?, beforeDelivery: () -> Void = {}) {
    var (delivery, value) = (SubjectDelivery<Value>(), Value?.none)
    let delivers = state.withLock { state in
      value = change(&state)
      return value.map { state.subject.accept($0, &delivery) } ?? false
    }
    beforeDelivery()
    if delivers { deliver(value!, &delivery) }
  }
}
