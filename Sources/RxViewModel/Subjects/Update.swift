// Reading, changing and writing a value as one step, with no lock held while the user changes it (contract 5).

/// Calls `update`, which calls its argument with the current value and writes the changed value if that returns true, perhaps several
/// times. Returns or throws what `body` does with the value that is written.
@inlinable
func updating<Value, Result, Failure: Error>(
  by update: ((inout Value) -> Bool) -> Void, _ body: (inout Value) throws(Failure) -> Result
) throws(Failure) -> Result {
  let outcome = withoutActuallyEscaping(body) { body in
    var outcome: Swift.Result<Result, Failure>?
    update { value in
      outcome = Swift.Result { () throws(Failure) in try body(&value) }
      return if case .success = outcome { true } else { false }
    }
    return outcome!
  }
  return try outcome.get()
}

/// Reads a value, changes a copy, and writes that, until no other write has come between. After 16 attempts it has the writers' turn: the
/// writes of other threads wait, and come after it. Other updates do not wait, because their bodies would have to.
///
/// - Parameters:
///   - change: Returns whether the value is to be written.
///   - begin: Returns the value and the number of its last write.
///   - end: Writes the value, if there is one, unless there has been another write. Returns whether there has been none. If so, and the
///     attempt has the turn, it makes the writes that wait too.
@inlinable
func retry<Value>(
  _ change: (inout Value) -> Bool, begin: (inout UpdateAttempt) -> (Value, lastWrite: UInt64),
  end: (Value?, _ lastWrite: UInt64, UpdateAttempt) -> Bool
) {
  var attempt = UpdateAttempt()
  while true {
    var (value, lastWrite) = begin(&attempt)
    if end(change(&value) ? value : nil, lastWrite, attempt) { return }
  }
}

@usableFromInline
struct UpdateAttempt: Sendable {
  @usableFromInline var count = 0
  /// Whether other writes wait for the end of this update.
  @usableFromInline var hasTurn = false

  @inlinable
  init() {}
}

/// The threads that run the body of an update of one value, and the writes that wait for one of them.
@usableFromInline
struct Updaters<Write: Sendable>: Sendable {
  @usableFromInline var threads: [ThreadID] = []
  /// Nil while no update has the turn.
  @usableFromInline var held: Queue<Write>?

  @inlinable
  init() {}

  /// Whether there is none, so that ``holds(_:)`` need not be asked.
  @inline(__always)
  @inlinable
  var isEmpty: Bool { threads.isEmpty && held == nil }

  @inlinable
  mutating func beginAttempt(_ attempt: inout UpdateAttempt) {
    threads.append(.current)
    attempt.count += 1
    if attempt.count <= 16 || held != nil { return }
    held = Queue()
    attempt.hasTurn = true
  }

  @inlinable
  mutating func endAttempt() {
    threads.remove(at: threads.lastIndex(of: .current)!)
    requireNotHere()
  }

  /// Whether a write waits for an update that has the turn. Traps if this thread runs the body of an update, which would have to start
  /// again and again. Called for a write of the user's.
  @usableFromInline
  mutating func holds(_ write: Write) -> Bool {
    requireNotHere()
    held?.append(write)
    return held != nil
  }

  @usableFromInline
  func requireNotHere() {
    require(
      !threads.contains(.current),
      "update: the body writes the value that it changes; it must only change its argument")
  }

  /// Adds the write of another update to those that wait, if there are any.
  @inlinable
  mutating func follows(_ write: Write) -> Bool {
    if held?.isEmpty != false { return false }
    held!.append(write)
    return true
  }

  /// Returns the writes that wait, for the caller to make. The update keeps the turn.
  @inlinable
  mutating func takeHeld() -> [Write] {
    guard let writes = held?.elements else { return [] }
    held = Queue()
    return writes
  }

  /// Ends the turn of an update. Returns the writes that have waited for it.
  @inlinable
  mutating func endTurn() -> [Write] {
    defer { held = nil }
    return held!.elements
  }

  /// The number of the last write, which includes those that wait, unless it is for the update for which they wait.
  @inlinable
  func number(_ accepted: UInt64, _ attempt: UpdateAttempt) -> UInt64 {
    attempt.hasTurn ? accepted : accepted + UInt64(held?.count ?? 0)
  }
}

extension SubjectState {
  /// The last element that has been sent, even if it waits for an update.
  @inlinable
  var newest: Element? {
    if terminal == nil, case .next(let element)? = updaters.held?.last { return element }
    return buffer.last
  }
}

extension SubjectCore {
  /// Sends the current element as `change` leaves it, if that returns true. Sends nothing after the terminal event. Precondition: there is
  /// an element.
  @inlinable
  func update(_ change: (inout Element) -> Bool) {
    retry(
      change,
      begin: { attempt in
        state.withLock { state in
          state.updaters.beginAttempt(&attempt)
          let element = attempt.hasTurn ? state.buffer.last! : state.newest!
          return (element, state.updaters.number(state.accepted, attempt))
        }
      },
      end: { element, lastWrite, attempt in
        let event = element.map { Event.next($0) }
        var delivery = SubjectDelivery<Element>()
        var (held, displaced, next) = ([Event<Element>](), [Element?](), Event<Element>?.none)
        let isLatest = state.withLock { state in
          state.updaters.endAttempt()
          if let event, state.terminal == nil {
            if state.updaters.number(state.accepted, attempt) != lastWrite { return false }
            if attempt.hasTurn || !state.updaters.follows(event), state.take(event, &delivery) { next = event }
          }
          if attempt.hasTurn {
            held = state.updaters.endTurn()
            next = state.take(held, &delivery, &displaced) ?? next
          }
          return true
        }
        if let next { withUnsafePointer(to: next) { deliver($0, &delivery) } }
        return isLatest
      })
  }

  /// Sends the elements that wait for an update, which then starts again.
  @inlinable
  func sendHeld() {
    var delivery = SubjectDelivery<Element>()
    var (held, displaced, next) = ([Event<Element>](), [Element?](), Event<Element>?.none)
    state.withLock { state in
      held = state.updaters.takeHeld()
      next = state.take(held, &delivery, &displaced)
    }
    if let next { withUnsafePointer(to: next) { deliver($0, &delivery) } }
  }

  /// Sends an event to a subject that is updated. A terminal event comes after the elements that wait, and ends the update.
  @inlinable
  func sendAfterHeld(_ event: Event<Element>) {
    if event.isTerminal { sendHeld() }
    on(event)
  }
}
