// Changing the last element of a subject.

extension SubjectState {
  /// Returns the number of the event accepted last. The caller ends the update on this thread.
  @inlinable
  mutating func beginUpdate() -> UInt64 {
    updaters.append(.current)
    return accepted
  }

  @inlinable
  mutating func endUpdate() { updaters.remove(at: updaters.lastIndex(of: .current)!) }

  /// Called for a write of the user's, because a write in the body of an update would make the body run again and again.
  @inline(__always)
  @inlinable
  func requireNoUpdateHere() {
    if updaters.isEmpty { return }
    let complaint = "update: the body writes the value itself; change only the argument that it gets"
    require(!updaters.contains(.current), complaint)
  }
}

extension SubjectHost {
  /// Sends the last element as `change` leaves it, if that returns true. Reads again if another event has been accepted meanwhile. Sends
  /// nothing after the end. Precondition: there is an element.
  @inlinable
  func update(_ change: (inout Element) -> Bool) {
    while true {
      var (element, number) = withSubject { ($0.buffer.last!, $0.beginUpdate()) }
      let writes = change(&element)
      withSubject { $0.endUpdate() }
      if !writes || send(element, if: { $0.accepted == number || $0.isOver }) { return }
    }
  }
}

/// Calls `update`, which calls its argument with the current value and writes the changed value if that returns true, perhaps several
/// times. Returns or throws what `body` does with the value that is written.
@inlinable
func updating<Value, Result, Failure: Error>(
  by update: ((inout Value) -> Bool) -> Void, _ body: (inout Value) throws(Failure) -> Result
) throws(Failure) -> Result {
  // The compiler lets no closure that may not escape be used in the call of another one.
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
