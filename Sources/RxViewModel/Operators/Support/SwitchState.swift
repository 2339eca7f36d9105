/// An event of the inner stream with the given number or, without a number, the operator's terminal event.
@usableFromInline
struct SwitchInput<Element: Sendable>: Sendable {
  @usableFromInline let number: UInt64?
  @usableFromInline let event: Event<Element>

  @inlinable
  init(number: UInt64?, event: Event<Element>) {
    self.number = number
    self.event = event
  }
}

/// The state of one subscription to `flatMapLatest`: which inner stream is the latest, and which streams are alive.
@usableFromInline
struct SwitchState {
  @usableFromInline enum Answer { case pass, complete, ignore }

  @usableFromInline var number: UInt64 = 0
  @usableFromInline var key: CompositeDisposable.Key = nil
  @usableFromInline var isInnerAlive = false
  @usableFromInline var isSourceAlive = true

  @inlinable
  init() {}

  @inlinable
  mutating func receive<Element>(_ input: SwitchInput<Element>) -> Answer {
    guard let number = input.number else { return .pass }
    guard number == self.number else { return .ignore }
    guard case .completed = input.event else { return .pass }
    isInnerAlive = false
    return isSourceAlive ? .ignore : .complete
  }
}
