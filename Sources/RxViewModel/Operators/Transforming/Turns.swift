/// Whose turn it is: `concatMap` lets elements wait while an inner stream is alive, `flatMapFirst` leaves them out.
@usableFromInline
struct Turns<Outer> {
  @usableFromInline
  enum Step {
    case start(Outer)
    case wait, complete
  }

  @usableFromInline let keepsWaiting: Bool
  @usableFromInline var waiting = Queue<Outer>()
  @usableFromInline var relay = Relay()
  @usableFromInline var isBusy = false
  @usableFromInline var isSourceAlive = true

  @inlinable
  init(keepsWaiting: Bool) {
    self.keepsWaiting = keepsWaiting
  }

  /// True if the element's turn has come.
  @inlinable
  mutating func arrive(_ element: Outer) -> Bool {
    if isBusy {
      if keepsWaiting { waiting.append(element) }
      return false
    }
    isBusy = true
    relay.connecting()
    return true
  }

  /// True if nothing is left to come.
  @inlinable
  mutating func sourceCompleted() -> Bool {
    isSourceAlive = false
    return !isBusy
  }

  @inlinable
  mutating func innerConnected() -> Step {
    relay.connected() ? next() : .wait
  }

  @inlinable
  mutating func innerCompleted() -> Step {
    relay.ended() ? next() : .wait
  }

  @inlinable
  mutating func next() -> Step {
    if let element = waiting.popFirst() {
      relay.connecting()
      return .start(element)
    }
    isBusy = false
    return isSourceAlive ? .wait : .complete
  }
}
