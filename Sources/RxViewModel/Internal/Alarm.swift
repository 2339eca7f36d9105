/// Sends an input to an operator's drain later, one at a time: setting it again replaces what it was set to.
///
/// To be set inside the drain's handler only. The drain is known weakly, since its handler holds the alarm; what is scheduled
/// holds it, so that an input that is to come is not lost.
@usableFromInline
final class Alarm<Input: Sendable>: @unchecked Sendable {  // Sendable: the references are set before the first event.
  @usableFromInline let scheduler: any Scheduler
  @usableFromInline let timer = SerialDisposable()
  @usableFromInline weak var drain: Drain<Input>?
  @usableFromInline weak var subscriptions: Subscriptions?

  @inlinable
  init(on scheduler: any Scheduler) {
    self.scheduler = scheduler
  }

  /// The disposable of the operator, which stops the alarm too.
  @inlinable
  func subscriptions(closing drain: Drain<Input>) -> Subscriptions {
    let subscriptions = Subscriptions(closing: drain)
    subscriptions.hold(timer)
    self.drain = drain
    self.subscriptions = subscriptions
    return subscriptions
  }

  /// Does nothing once the operator has been disposed, by the callback of the event that is being handled for instance.
  ///
  /// - Parameter input: What to send, from the thread of the scheduler that sends it.
  @inlinable
  func set(after delay: Duration, _ input: @escaping @Sendable (ThreadID) -> Input) {
    guard isOpen, let send = sending(input) else { return }
    timer.replace(with: scheduler.schedule(after: delay, send))
  }

  /// Sends the input behind the work that the scheduler has for this instant.
  @inlinable
  func send(_ input: @escaping @Sendable (ThreadID) -> Input) {
    guard let send = sending(input) else { return }
    scheduler.schedule(send)
  }

  /// Whether an input that `thread` has sent is being handled there, on the scheduler. If it has come upon another thread in the
  /// drain, and is handled by that one, it is sent once more.
  @inlinable
  func isHandled(on thread: ThreadID, _ input: @escaping @Sendable (ThreadID) -> Input) -> Bool {
    if thread == .current { return true }
    send(input)
    return false
  }

  /// Sends an operator's last element and the completion, unless the element's callback has disposed all.
  @inlinable
  func finish<Element>(with element: Element, _ sink: Observable<Element>.Sink) {
    if sink(.next(element)), isOpen { _ = sink(.completed) }
  }

  /// Without subscriptions the source has ended, and nobody is left who could dispose.
  @inlinable
  var isOpen: Bool {
    subscriptions?.isOpen ?? true
  }

  @inlinable
  func sending(_ input: @escaping @Sendable (ThreadID) -> Input) -> (@Sendable () -> Void)? {
    guard let drain else { return nil }
    return { [weak subscriptions] in
      if !drain.send(input(.current)) { subscriptions?.dispose() }
    }
  }
}

/// The inputs of an operator that sets an alarm.
@usableFromInline
enum AlarmedInput<Element: Sendable, Alarm: Sendable>: Sendable {
  case source(Event<Element>)
  case alarm(Alarm, ThreadID)
}
