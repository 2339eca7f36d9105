/// A failure that nothing has handled, for the activities of views, until a view dismisses it or the next failure replaces it.
@usableFromInline
final class KeptFailure<Action: Sendable>: Sendable {
  let failure: ActionAndError<Action>
  /// Whether an activity shows the failure, and a view reads that activity.
  let isShown = Lock(false)

  init(_ failure: ActionAndError<Action>) { self.failure = failure }
}

extension Engine {
  /// The failures from the last one on.
  var failures: Observable<KeptFailure<Action>> { stream(\.failure, size: 1) }

  /// Sends a failure to the activities, and keeps it for those that come later. Returns whether a view shows it. Only the driver calls this.
  @usableFromInline
  func show(_ failure: ActionAndError<Action>) -> Bool {
    let (core, kept) = (core(\.failure, size: 1), KeptFailure(failure))
    // The failure keeps its instance, so that the end of the child ends the failure too.
    let dismissed = shared.withLock { shared in
      failure.retrying?.instance?.uses += 1
      defer { shared.dismissed = [] }
      return shared.dismissed
    }
    for instance in dismissed { prune(instance) }
    let last = core.withSubject { $0.buffer.popFirst() }
    if let instance = last?.failure.retrying?.instance {
      shared.withLock { _ in instance.uses -= 1 }
      prune(instance)
    }
    core.send(kept)
    return kept.isShown.withLock { $0 }
  }

  /// Forgets a failure that a view has dismissed, unless another one has replaced it.
  func dismiss(_ failure: KeptFailure<Action>) {
    let last = core(\.failure, size: 1).withSubject { $0.buffer.last === failure ? $0.buffer.popFirst() : nil }
    guard let instance = last?.failure.retrying?.instance else { return }
    shared.withLock { shared in
      instance.uses -= 1
      if !shared.isClosed { shared.dismissed.append(instance) }
    }
  }
}
