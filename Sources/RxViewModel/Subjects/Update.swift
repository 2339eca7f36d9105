// Reading, changing and writing a value as one step, with no lock held while the user changes it (contract 5).

/// Calls `update`, which calls its argument with the current value and writes the changed value if that returns true, perhaps several
/// times. Returns or throws what `body` does with the value that is written.
///
/// - Parameter rethrow: Throws its argument. Without it, the compiler does not see that an error comes from `body`.
@inlinable
func updating<Value, Result>(
  by update: ((inout Value) -> Bool) -> Void, _ body: (inout Value) throws -> Result,
  _ rethrow: (any Error) throws -> Result
) rethrows -> Result {
  let outcome = withoutActuallyEscaping(body) { body in
    var outcome: Swift.Result<Result, any Error>?
    update { value in
      do {
        outcome = .success(try body(&value))
        return true
      } catch {
        outcome = .failure(error)
        return false
      }
    }
    return outcome!
  }
  switch outcome {
  case .success(let result): return result
  case .failure(let error): return try rethrow(error)
  }
}

/// Reads a value, changes a copy, and writes that, until no other write has come between.
///
/// - Parameters:
///   - change: Returns whether the value is to be written.
///   - begin: Returns the value and the number of its last write.
///   - end: Writes the value, if there is one, unless there has been another write. Returns whether there has been none.
@inlinable
func retry<Value>(
  _ change: (inout Value) -> Bool, begin: () -> (Value, lastWrite: UInt64), end: (Value?, _ lastWrite: UInt64) -> Bool
) {
  while true {
    var (value, lastWrite) = begin()
    if end(change(&value) ? value : nil, lastWrite) { return }
  }
}

/// The threads that run the body of an update of one value.
@usableFromInline
struct Updaters: Sendable {
  @usableFromInline var threads: [ThreadID] = []

  @inlinable
  init() {}

  @inlinable
  mutating func begin() {
    threads.append(.current)
  }

  @inlinable
  mutating func end() {
    threads.remove(at: threads.lastIndex(of: .current)!)
  }

  /// Traps if this thread runs the body of an update, which would have to start again and again. Called for a write of the user's.
  @inline(__always)
  @inlinable
  func requireNoneHere() {
    if !threads.isEmpty { requireNotHere() }
  }

  @usableFromInline
  func requireNotHere() {
    require(
      !threads.contains(.current),
      "update: the body writes the value that it changes; it must only change its argument")
  }
}

extension SubjectCore {
  /// Sends the current element as `change` leaves it, if that returns true. Sends nothing after the terminal event. Precondition: there is
  /// an element.
  @inlinable
  func update(_ change: (inout Element) -> Bool) {
    retry(
      change,
      begin: {
        state.withLock { state in
          state.updaters.begin()
          return (state.replays.buffer.last!, state.accepted)
        }
      },
      end: { element, lastWrite in
        var delivery = SubjectDelivery<Element>()
        let event = element.map { Event.next($0) }
        var acceptance = DeliveryQueue<Event<Element>>.Acceptance.queued
        let isLatest = state.withLock { state in
          state.updaters.end()
          guard let event, state.terminal == nil else { return true }
          if state.accepted != lastWrite { return false }
          acceptance = state.accept(event, &delivery)
          return true
        }
        if let event { withUnsafePointer(to: event) { deliver($0, acceptance, &delivery) } }
        return isLatest
      })
  }
}
