/// The scope of one of the streams that an operator subscribes to one after the other.
@usableFromInline
final class Attempt<Element: Sendable>: Scope, @unchecked Sendable {  // Sendable: the lock guards the status.
  /// The call of `connect`, and the stream that follows this one.
  @exclusivity(unchecked) @usableFromInline var connecting = CallStatus<Observable<Element>>.inside
}

/// Subscribes to streams one after the other, each in a scope of its own: the loop of `concat`, `repeat`, `retry` and `flatten(limit:)`.
///
/// An attempt is disposed before the next one begins. If a stream ends while a thread is subscribing to it, that thread continues in its
/// loop, so the stack does not grow (contract 1.6). Otherwise the thread on which the stream ends continues.
@usableFromInline
final class Attempts<Element: Sendable>: Sendable {
  /// The step after an attempt that has ended.
  @usableFromInline
  enum Step {
    case subscribe(Observable<Element>)
    /// The subscriber gets the end.
    case pass
    /// No stream follows yet. The operator may call ``goOn(after:with:)`` later.
    case wait
  }

  @usableFromInline let scope: Scope
  /// Receives the elements of all attempts, and the end of the last.
  @usableFromInline let sink: Observable<Element>.Sink
  /// Called with a terminal event when its attempt has been disposed. Only an error may be answered with `.wait` and followed later.
  @usableFromInline let next: @Sendable (Event<Element>, Attempts, Attempt<Element>?) -> Step

  @inlinable
  init(
    in scope: Scope, _ sink: @escaping Observable<Element>.Sink,
    _ next: @escaping @Sendable (Event<Element>, Attempts, Attempt<Element>?) -> Step
  ) {
    self.scope = scope
    self.sink = sink
    self.next = next
  }

  /// Subscribes to `first`, and to what follows while the attempts end at once. Returns whether the subscriber wants more.
  @inlinable
  @discardableResult
  func run(_ first: Observable<Element>) -> Demand {
    var step = subscribe(to: first)
    while case .subscribe(let stream) = step { step = scope.isOpen ? subscribe(to: stream) : .pass }
    if case .wait = step { return .more }
    return .noMore
  }

  /// Subscribes to a stream. Returns what follows if it ends at once, and `.pass` if the subscriber wants no more.
  @inlinable
  func subscribe(to stream: Observable<Element>) -> Step {
    if case .just(let element) = stream.representation {
      if sink(.next(element)) == .noMore { return .pass }
      let step = next(.completed, self, nil)
      if case .pass = step { _ = sink(.completed) }
      return step
    }
    let attempt = Attempt<Element>(lock: scope.lock)
    guard scope.add(child: attempt) else { return .pass }
    stream.connect({ [self] in receive($0, attempt) }, in: attempt)
    if let next = attempt.lock.withLock({ _ in attempt.connecting.hasReturned() }) { return .subscribe(next) }
    return scope.isOpen ? .wait : .pass
  }

  @inlinable
  func receive(_ event: Event<Element>, _ attempt: Attempt<Element>) -> Demand {
    if !event.isTerminal { return sink(event) }
    // A closure of the attempt may have disposed the subscription at this event.
    guard attempt.close() else { return .noMore }
    switch next(event, self, attempt) {
    case .subscribe(let stream): goOn(after: attempt, with: stream)
    case .pass: _ = sink(event)
    case .wait: break
    }
    return .noMore
  }

  /// Subscribes to the stream that follows an ended attempt, unless a thread is still subscribing to that attempt and then continues.
  @inlinable
  func goOn(after attempt: Attempt<Element>?, with stream: Observable<Element>) {
    if attempt?.lock.withLock({ _ in attempt!.connecting.end(with: stream) }) ?? true { run(stream) }
  }
}
