// The steps that a log is made of.

/// A step in the life of an action, with the state before it.
struct LoggedStep<Action: Sendable, State: Sendable>: Sendable {
  let execution: Execution<Action, State>
  /// Whether the streams have announced the start of the action.
  let hasStarted: Bool
  /// Nil for a step that folds nothing.
  let previous: State?
}

/// A subject of ``LoggedStep``s with its type erased, so that a view model without a log never instantiates its
/// metadata.
@usableFromInline
protocol LogStream: AnyObject, Sendable {
  func close()
  func releaseAll()
  func complete()
}

extension SubjectCore: LogStream {
  @usableFromInline
  func complete() {
    on(.completed)
  }
}

extension Engine {
  typealias LogCore = SubjectCore<LoggedStep<Action, State>>

  /// The steps of each action. Does not keep the view model alive.
  var steps: Observable<LoggedStep<Action, State>> {
    Observable { [self] sink in logCore().connect(sink) }
  }

  private func logCore() -> LogCore {
    inbox.withLock { inbox in
      if inbox.isDrivenHere { isObserved = true }
      return outputs.withLock { outputs in
        if let log = outputs.streams.log { return unsafeDowncast(log, to: LogCore.self) }
        let core = LogCore()
        if outputs.gate == .closed { core.close() }
        outputs.streams.log = core
        outputs.streams.isObserved = true
        return core
      }
    }
  }

  /// Sends a step to the log. While the streams emit a fold, the other cell of `latest` holds the state before it.
  @usableFromInline
  func send(_ phase: Phase, of run: Run, to log: any LogStream) {
    if isClosed { return }
    var previous: State?
    if case .emitted = phase { previous = latest.next.pointee }
    let step = LoggedStep(execution: execution(phase, of: run), hasStarted: run.hasStarted, previous: previous)
    unsafeDowncast(log, to: LogCore.self).on(.next(step))
  }
}
