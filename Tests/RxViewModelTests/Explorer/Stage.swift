import RxViewModel

/// A view model whose actions are the numbers of a scenario's plans.
final class Actor: RxViewModel<Int, Tags>, @unchecked Sendable {  // Sendable: all are let.
  private let plans: [Plan]
  let effects: [ScriptedEffect]
  private let reached: @Sendable (Spot, Int) -> Void

  init(_ plans: [Plan], scheduler: any Scheduler, reached: @escaping @Sendable (Spot, Int) -> Void) {
    self.plans = plans
    self.reached = reached
    effects = plans.indices.map { ScriptedEffect(plans[$0].script, action: $0, reached: reached) }
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> Tags { [] }

  override func createObservable(_ action: Int) -> Observable<StateMapper<Tags>> {
    reached(.createObservable, action)
    return effects[action].observable()
  }

  override func showSpinner(_ action: Int) -> Bool {
    reached(.showSpinner, action)
    return plans[action].spins
  }

  override func executionMode(for action: Int) -> ExecutionMode {
    reached(.executionMode, action)
    return plans[action].mode.executionMode
  }

  override func handleError(_ error: any Error, action: Int?) -> Bool {
    reached(.handleError, action!)
    return false
  }
}

/// A real view model in a scenario, with everything that it emits.
final class Stage: Sendable {
  let scenario: Scenario
  let actor: Actor
  let journal = Locked<[Line]>([])
  /// What `isLoadingObservable(where:)` has emitted, for all actions.
  let busy = Locked<[Bool]>([])
  /// Where `currentState` was not the last state in a callback.
  let faults = Locked<[String]>([])
  private let provocation: Provocation?
  private let scheduler = HandScheduler()
  private let accepted = Locked(0)
  private let cancelled = Locked<Set<Int>>([])
  private let bag = DisposeBag()

  init(_ scenario: Scenario, _ provocation: Provocation? = nil) {
    self.scenario = scenario
    self.provocation = provocation
    let stage = Locked<Weak<Stage>?>(nil)
    actor = Actor(scenario.plans, scheduler: scheduler) { spot, action in
      if provocation != nil { stage.value?.object?.reached(spot, action) }
    }
    stage.mutate { $0 = Weak(object: self) }
    note(actor.isLoadingObservable) { .loading($0) }
    note(actor.stateObservable) { .state($0) }
    note(actor.actionAndStateObservable) { .made($0.action, $0.state) }
    note(actor.errorObservable) { .error(($0 as? Fault)?.action ?? -1) }
    note(actor.actionAndErrorObservable) { .failedWith($0.action == ($0.error as? Fault)?.action ? $0.action! : -1) }
    note(actor.executionObservable) { Self.line($0) }
    journal.mutate { $0 = [] }
    actor.isLoadingObservable(where: { _ in true }).subscribe(onNext: { [busy] isBusy in
      busy.mutate { $0.append(isBusy) }
    }).disposed(by: bag)
  }

  private func note<Element>(_ stream: Observable<Element>, _ line: @escaping @Sendable (Element) -> Line) {
    stream.subscribe { [unowned self] event in
      switch event {
      case .next(let element): add(line(element))
      case .error: add(.error(-1))
      case .completed: add(.end)
      }
    }.disposed(by: bag)
  }

  private func add(_ line: Line) {
    journal.mutate { $0.append(line) }
    if case .state(let tags) = line, actor.currentState != tags {
      faults.mutate { $0.append("currentState is not \(tags) in the callback") }
    }
    if provocation != nil, let (spot, action) = line.spot { reached(spot, action) }
  }

  private static func line(_ execution: Execution<Int, Tags>) -> Line {
    switch execution.phase {
    case .started: .started(execution.action)
    case .emitted(let tags): .emitted(execution.action, tags)
    case .completed(let tags): .completed(execution.action, tags)
    case .failed: .failed(execution.action)
    case .cancelled: .cancelled(execution.action)
    case .dropped: .dropped(execution.action)
    }
  }

  // MARK: Moves

  func perform(_ move: Move) {
    act(move)
    if move == .turn || !scenario.turns { scheduler.run() }
  }

  /// What a move does, without the turn of the scheduler that may follow it.
  private func act(_ move: Move) {
    switch move {
    case .accept: execute()
    case .effect(let action): actor.effects[action].sendNext()
    case .cancel(let number):
      let actions = scenario.cancellations[number]
      actor.cancelActions { actions.contains($0) }
    case .clear: actor.clear()
    case .turn: break
    }
  }

  private func execute() {
    let first = accepted.value
    let count = first < scenario.plans.count ? scenario.acceptedTogether(from: first) : 0
    while accepted.value < first + count {
      let next = accepted.value
      let length = scenario.batch?.lowerBound == next ? scenario.batch!.count : 1
      accepted.mutate { $0 += length }
      switch length {
      case 1: actor.execute(next)
      case 2: actor.executeInSequence(next, next + 1)
      case 3: actor.executeInSequence(next, next + 1, next + 2)
      default: actor.executeInSequence(next, next + 1, next + 2, next + 3)
      }
    }
  }

  private func reached(_ spot: Spot, _ action: Int) {
    if let moves = provocation?.met(at: spot, action) { for move in moves { act(move) } }
  }
}

/// A reference that does not count.
private struct Weak<Object: AnyObject & Sendable>: Sendable {
  weak var object: Object?
}
