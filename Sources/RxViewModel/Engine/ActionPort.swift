/// The requests that an effect may make to its view model, from any thread, while its action is unfinished (contract 2.19).
@usableFromInline
// Sendable: `engine` is set in init only, the lock of the inbox guards the rest.
final class ActionPort<Host: EngineHost>: ContextPort, @unchecked Sendable {
  @usableFromInline typealias Run = EngineRun<Host.Action, Host.State>

  @usableFromInline
  enum Stage {
    /// The action is unfinished, and belongs to this instance.
    case open(ChildNode)
    case cancelled
    case completed, failed
  }

  /// Weak: an app may keep a context longer than its view model lives.
  @usableFromInline private(set) weak var engine: Engine<Host>?
  @exclusivity(unchecked) @usableFromInline var stage: Stage
  /// The actions that follow the action if it completes.
  @exclusivity(unchecked) @usableFromInline var followers: [Run] = []

  @inlinable
  init(_ engine: Engine<Host>, _ stage: Stage) {
    (self.engine, self.stage) = (engine, stage)
  }

  /// A port that does nothing, for an effect that no action has asked for.
  @usableFromInline
  static func closed(_ engine: Engine<Host>) -> ActionPort {
    ActionPort(engine, .cancelled)
  }

  @usableFromInline
  var scheduler: any Scheduler { engine?.scheduler ?? ImmediateScheduler() }

  @usableFromInline
  func send(_ further: FurtherAction<Host.Action>) {
    guard let engine, let viewModel = engine.viewModel else { return }
    switch further {
    case .execute(let action): engine.accept(action, through: self, for: viewModel) { $0 }
    case .output(let action): engine.accept(action, through: self, for: viewModel) { $0.parent ?? $0 }
    case .follow(let action): _ = follow(action)
    case .emit(let body, let action):
      engine.answer(through: self, action, for: viewModel) { inbox, _ in inbox.accept { _ in .call(body) } }
    }
  }

  /// Executes an action after the port's own if that completes. Returns false if that has completed before.
  func follow(_ action: Host.Action) -> Bool {
    guard let engine else { return true }
    let run = ActionRun<Host.Action, Host.State>(action)
    return engine.inbox.withLock { _ in
      switch stage {
      case .open: followers.append(run)
      case .cancelled, .failed: break
      case .completed: return false
      }
      return true
    }
  }
}

extension Engine {
  @usableFromInline typealias Port = ActionPort<Host>

  /// The port of the action whose effect this thread is making. Nil on another thread, and at another time.
  @usableFromInline
  func portOfCurrentAction() -> Port? {
    guard inbox.withLock({ $0.isDrivenHere }), let run = creating else { return nil }
    return port(of: run)
  }

  @inlinable
  func port(of run: Run) -> Port {
    if let port = run.port { return unsafeDowncast(port, to: Port.self) }
    let port = Port(self, .open(run.node ?? root))
    run.port = port
    return port
  }

  /// Closes the port of an action that ends. Returns the actions that follow it.
  @inlinable
  func closePort(of run: Run, _ outcome: RunOutcome) -> [Run] {
    guard let port = run.port.take().map({ unsafeDowncast($0, to: Port.self) }) else { return [] }
    var stage: Port.Stage =
      switch outcome {
      case .completed: .completed
      case .failed: .failed
      case .cancelled, .superseded, .dropped, .refused: .cancelled
      }
    var followers: [Run] = []
    // The objects of the port are released after the lock.
    inbox.withLock { _ in
      swap(&stage, &port.stage)
      swap(&followers, &port.followers)
    }
    return if case .completed = outcome { followers } else { [] }
  }

  /// The decision on a request of an effect.
  private enum Answer {
    case accepted(needsTurn: Bool)
    case ignored
    /// The action of the effect has ended.
    case late
  }

  /// Accepts a further action of the instance that `owner` returns for the action's own. May be called on any thread.
  fileprivate func accept(_ action: Action, through port: Port, for viewModel: Host, _ owner: (ChildNode) -> ChildNode)
  {
    let run = ActionRun<Action, State>(action)
    answer(through: port, action, for: viewModel) { accept(run, of: owner($1), in: &$0) }
  }

  fileprivate func answer(
    through port: Port, _ action: Action, for viewModel: Host,
    _ accept: (inout Inbox<Action, State>, ChildNode) -> Inbox<Action, State>.Acceptance
  ) {
    let answer = inbox.withLock { inbox -> Answer in
      if inbox.isClosed { return .ignored }
      switch port.stage {
      case .open(let node): return .accepted(needsTurn: accept(&inbox, node) == .needsTurn)
      case .cancelled: return .ignored
      case .completed, .failed: return .late
      }
    }
    switch answer {
    case .accepted(let needsTurn): if needsTurn { schedule(viewModel) }
    case .ignored: break
    case .late: report(.executedAfterEnd(action), for: viewModel)
    }
  }

  /// Accepts an action that belongs to an instance, unless that has gone.
  func accept(_ run: Run, of node: ChildNode, in inbox: inout Inbox<Action, State>) -> Inbox<Action, State>.Acceptance {
    if outputs.withLock({ _ in node.isOver }) { return .waits }
    let acceptance = inbox.accept(run)
    if acceptance != .refused {
      run.binding = .owned(by: node)
      node.accepted += 1
    }
    return acceptance
  }

  /// Accepts the actions that follow one that has completed, on the driver.
  @usableFromInline
  func accept(_ followers: [Run], after run: Run) {
    let node = run.node ?? root
    // The turn that is under way takes them later, or schedules another one.
    inbox.withLock { inbox in
      for follower in followers { _ = accept(follower, of: node, in: &inbox) }
    }
  }
}
