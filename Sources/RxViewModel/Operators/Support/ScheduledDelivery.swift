/// Delivers events on a scheduler, one at a time and in order. Each event is a piece of work of its own, so that other work on the
/// scheduler runs between the events in the order of scheduling.
@usableFromInline
final class ScheduledDelivery<Element: Sendable>: Sendable {
  /// The events whose pieces of work have not run yet.
  @usableFromInline let waiting: Guarded<Queue<Event<Element>>>
  /// An input is an event that does not wait, or nil for the first waiting event. The handler removes that event from `waiting`. So events
  /// keep their order even on a concurrent scheduler, where the pieces of work do not.
  @usableFromInline let serial: Serial<Event<Element>?>

  @usableFromInline let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// - Parameter schedule: Runs work on the scheduler.
  @inlinable
  init(
    in scope: Scope, scheduledBy schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
    _ sink: Sink<Element>
  ) {
    // The pieces of work that the scheduler has not run yet retain this object.
    let waiting = Guarded(emptied: Queue<Event<Element>>(), in: scope)
    self.waiting = waiting
    self.schedule = schedule
    serial = Serial(in: scope) { event in
      guard let event = event ?? waiting.withLock({ $0.popFirst() }) else { return .more }
      return sink.on(consume event)
    }
  }

  /// Schedules the event.
  @inlinable
  func enqueue(_ event: consuming Event<Element>) -> Demand {
    var event = Optional(event)
    let isOpen = waiting.withLock { waiting in
      if !serial.scope.isClosed { waiting.append(event.take()!) }
      return !serial.scope.isClosed
    }
    if !isOpen { return .noMore }
    schedule { [self] in _ = serial.send(nil) }
    return .more
  }

  /// Whether no event waits for its piece of work, so that one may be sent to `serial` directly.
  @inlinable
  var isIdle: Bool { waiting.withLock { $0.isEmpty } }
}
