/// The state of one subscription to `concatMap`, which queues the elements that arrive while an inner stream is alive,
/// or to `flatMapFirst`, which drops them.
@usableFromInline
struct SequentialFlattenState<Outer: Sendable, Element: Sendable> {
  @usableFromInline typealias Transform = @Sendable (Outer) throws -> Observable<Element>

  @usableFromInline
  enum Step {
    case start(Outer, Transform)
    case wait, complete
  }

  @usableFromInline let keepsWaiting: Bool
  @usableFromInline var waiting = Queue<Outer>()
  @usableFromInline var trampoline = ResubscribeTrampoline()
  @usableFromInline var isBusy = false
  @usableFromInline var isSourceAlive = true
  /// Nil after its last call, so that a long inner stream does not keep alive what the closure holds.
  @usableFromInline var transform: Transform?

  @inlinable
  init(keepsWaiting: Bool, transform: @escaping Transform) {
    self.keepsWaiting = keepsWaiting
    self.transform = transform
  }

  @inlinable
  mutating func arrive(_ element: Outer) -> Step {
    if isBusy {
      if keepsWaiting { waiting.append(element) }
      return .wait
    }
    isBusy = true
    trampoline.connecting()
    return .start(element, transform!)
  }

  @inlinable
  mutating func sourceCompleted(_ dropped: inout Transform?) -> Step {
    isSourceAlive = false
    if waiting.isEmpty { swap(&dropped, &transform) }
    return isBusy ? .wait : .complete
  }

  @inlinable
  mutating func innerConnected(_ dropped: inout Transform?) -> Step {
    trampoline.connected() ? next(&dropped) : .wait
  }

  @inlinable
  mutating func innerCompleted(_ dropped: inout Transform?) -> Step {
    trampoline.ended() ? next(&dropped) : .wait
  }

  @inlinable
  mutating func next(_ dropped: inout Transform?) -> Step {
    guard let element = waiting.popFirst() else {
      isBusy = false
      return isSourceAlive ? .wait : .complete
    }
    trampoline.connecting()
    let step = Step.start(element, transform!)
    if !isSourceAlive, waiting.isEmpty { swap(&dropped, &transform) }
    return step
  }
}
