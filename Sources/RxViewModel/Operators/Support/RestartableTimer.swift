/// Sends one input to an operator's serializer after a delay. Starting it again replaces the pending input.
///
/// Only the serializer's handler starts it. The timer holds the serializer weakly, because the handler retains the timer. The scheduled
/// work retains the serializer, so that a scheduled input arrives even if the timer was the last other reference to it.
@usableFromInline
// Sendable: the references are set before the first event.
final class RestartableTimer<Input: Sendable>: @unchecked Sendable {
  @usableFromInline let scheduler: any Scheduler
  /// The pending work of the scheduler.
  @usableFromInline let scheduled = SerialDisposable()
  @usableFromInline weak var serializer: EventSerializer<Input>?
  @usableFromInline weak var subscriptions: CompositeDisposable?

  @inlinable
  init(on scheduler: any Scheduler) {
    self.scheduler = scheduler
  }

  /// Makes the disposable of the operator. Disposing it also stops the timer.
  @inlinable
  func subscriptions(closing serializer: EventSerializer<Input>) -> CompositeDisposable {
    let subscriptions = CompositeDisposable(closing: serializer)
    subscriptions.add(scheduled)
    self.serializer = serializer
    self.subscriptions = subscriptions
    return subscriptions
  }

  /// Starts the timer. Does nothing if the operator has been disposed, for instance by the callback of the current event.
  ///
  /// - Parameter input: Makes the input from the thread on which the scheduler sends it.
  @inlinable
  func start(after delay: Duration, _ input: @escaping @Sendable (ThreadID) -> Input) {
    guard isOpen, let send = sending(input) else { return }
    scheduled.replace(with: scheduler.schedule(after: delay, send))
  }

  /// Stops the timer, which drops its pending input.
  @inlinable
  func stop() {
    scheduled.replace(with: NopDisposable.shared)
  }

  /// Sends the input after the work that the scheduler already has for this instant.
  @inlinable
  func send(_ input: @escaping @Sendable (ThreadID) -> Input) {
    guard let send = sending(input) else { return }
    scheduler.schedule(send)
  }

  /// Whether the handler runs on `thread`, the scheduler's thread that has sent the input. If another thread was delivering and handles the
  /// input instead, this sends the input once more and returns false.
  @inlinable
  func isHandled(on thread: ThreadID, _ input: @escaping @Sendable (ThreadID) -> Input) -> Bool {
    if thread == .current { return true }
    send(input)
    return false
  }

  /// Sends an operator's last element and the completion, unless the element's callback has disposed all.
  @inlinable
  func finish<Element>(with element: Element, _ sink: Observable<Element>.Sink) {
    if sink(.next(element)) != .noMore, isOpen { _ = sink(.completed) }
  }

  /// Also true after the subscriptions have been released, because then no caller can dispose them.
  @inlinable
  var isOpen: Bool {
    subscriptions?.isOpen ?? true
  }

  @inlinable
  func sending(_ input: @escaping @Sendable (ThreadID) -> Input) -> (@Sendable () -> Void)? {
    guard let serializer else { return nil }
    return { [weak subscriptions] in
      let demand = serializer.send(input(.current))
      subscriptions?.dispose(unlessWanted: demand)
    }
  }
}

/// The inputs of an operator that starts a timer.
@usableFromInline
enum TimedInput<Element: Sendable, Timer: Sendable>: Sendable {
  case source(Event<Element>)
  case timer(Timer, ThreadID)
}
