import RxViewModel

/// A task that an effect has begun in virtual time.
///
/// Between two of its jobs it waits. A sleep on the test's clock, an arrival, a recorded answer and an action of a view model on a
/// `TestScheduler` count themselves as waits that a test ends. A task that waits for anything else has left the scheduler.
final class EffectTask: WaitingTask {
  /// The action whose effect has begun it.
  let action: EffectAction?
  private let waits = Lock<[Wait]>([])

  /// Compared by identity.
  private final class Wait: Sendable {
    let action: (any Sendable)?

    init(_ action: (any Sendable)?) { self.action = action }
  }

  init(_ action: EffectAction?) { self.action = action }

  var isOutside: Bool { waits.withLock { $0.isEmpty } }
  /// The newest action for which a `perform` of the task waits.
  var performed: (any Sendable)? { waits.withLock { $0 }.last { $0.action != nil }?.action }

  func beginWaiting(for action: (any Sendable)?) -> @Sendable () -> Void {
    let wait = Wait(action)
    waits.withLock { $0.append(wait) }
    return { [self] in waits.withLock { $0.removeAll { $0 === wait } } }
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension VirtualTime: EffectExecutor {
  func watched(_ operation: @escaping @Sendable () async -> Void) -> @Sendable () async -> Void {
    let task = EffectTask(EffectTasks.action)
    begin(task)
    return { [weak self] in
      await EffectTasks.$current.withValue(task, operation: operation)
      self?.end(task)
    }
  }
}

extension VirtualTime {
  /// What a failure adds if tasks of effects wait outside the scheduler: whose effects these are. Empty if there are none.
  ///
  /// A task whose next job is due hasn't left the scheduler, so this returns nothing while a job is due that this thread has scheduled.
  var linesAboutTasksOutside: [String] {
    let actions = tasksOutside.compactMap { $0.action?.unfinished() }.map { logText(of: $0) }
    if actions.isEmpty { return [] }
    let subject = actions.count == 1 ? "The effect of" : "The effects of"
    return [
      """
      \(subject) \(actions.joined(separator: ", ")) \(actions.count == 1 ? "waits" : "wait") outside the scheduler, where no test \
      advances the time. If a service runs on the main actor, because its module isolates everything to it, declare the service's \
      protocol `nonisolated`
      """
    ]
  }
}
