/// The scope of one of the streams that an operator subscribes to one after the other.
@usableFromInline
final class Attempt<Element: Sendable>: Scope, @unchecked Sendable {  // Sendable: the lock guards the status.
  @usableFromInline
  enum Status {
    /// The thread is inside `connect`.
    case connecting(ThreadID)
    /// The stream has ended inside `connect`, and the loop that called `connect` continues with this one.
    case followed(by: Observable<Element>)
    case connected
  }

  @exclusivity(unchecked) @usableFromInline var status = Status.connecting(.current)

  /// Called once, when the next stream is known. Returns true if the caller subscribes to that stream. Returns false if the caller's thread
  /// is still inside `connect`: then the loop that called `connect` subscribes to it.
  @inlinable
  func isFollowedHere(by next: Observable<Element>) -> Bool {
    lock.withLock { _ in
      guard case .connecting(let thread) = status, thread.isCurrent else { return true }
      status = .followed(by: next)
      return false
    }
  }

  /// Called when `connect` has returned. Returns the stream that the caller subscribes to next.
  @inlinable
  func connected() -> Observable<Element>? {
    var last = Status.connected
    lock.withLock { _ in swap(&last, &status) }
    if case .followed(let next) = last { return next }
    return nil
  }
}

/// Subscribes to streams one after the other, each in a scope of its own: the loop of `concat`, `repeat`, `retry` and `concatMap`.
///
/// An attempt is disposed before the next one begins. If a stream ends while a thread is subscribing to it on that thread, that thread
/// continues in its loop, so the stack does not grow (contract 1.6). Otherwise the thread on which the stream ends continues.
@usableFromInline
final class Attempts<Element: Sendable>: Sendable {
  /// What follows an attempt that has ended.
  @usableFromInline
  enum Step {
    case follow(Observable<Element>)
    /// The subscriber gets the end.
    case pass
    /// No stream follows yet. The operator may call ``follow(_:with:)`` later.
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
  ///
  /// - Parameter limit: The number of attempts after which another thread continues.
  @inlinable
  @discardableResult
  func run(_ first: Observable<Element>, limit: Int = .max) -> Demand {
    var (step, left) = (begin(first), limit)
    while case .follow(let stream) = step {
      left -= 1
      if left == 0 {
        continueOnGlobalQueue { [self] in run(stream, limit: limit) }
        return .more
      }
      step = scope.isOpen ? begin(stream) : .pass
    }
    if case .wait = step { return .more }
    return .noMore
  }

  /// Subscribes to a stream. Returns what follows if it ends at once, and `.pass` if the subscriber wants no more.
  @inlinable
  func begin(_ stream: Observable<Element>) -> Step {
    if case .just(let element) = stream.representation {
      if sink(.next(element)) == .noMore { return .pass }
      let step = next(.completed, self, nil)
      if case .pass = step { _ = sink(.completed) }
      return step
    }
    let attempt = Attempt<Element>(lock: scope.lock)
    guard scope.add(child: attempt) else { return .pass }
    stream.connect({ [self] in receive($0, attempt) }, in: attempt)
    if let next = attempt.connected() { return .follow(next) }
    return scope.isOpen ? .wait : .pass
  }

  @inlinable
  func receive(_ event: Event<Element>, _ attempt: Attempt<Element>) -> Demand {
    if !event.isTerminal { return sink(event) }
    // A closure of the attempt may have disposed the subscription at this event.
    guard attempt.close() else { return .noMore }
    switch next(event, self, attempt) {
    case .follow(let stream): follow(attempt, with: stream)
    case .pass: _ = sink(event)
    case .wait: break
    }
    return .noMore
  }

  /// Subscribes to the stream that follows an ended attempt, on this thread or in the loop that is subscribing further up its stack.
  ///
  /// A thread that has ended an attempt subscribes to at most 1,024 streams in a row (contract 1.10).
  @inlinable
  func follow(_ attempt: Attempt<Element>?, with stream: Observable<Element>) {
    if attempt?.isFollowedHere(by: stream) ?? true { run(stream, limit: DeliveryQueue<Element>.limit) }
  }
}
