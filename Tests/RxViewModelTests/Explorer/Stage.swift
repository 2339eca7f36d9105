import RxViewModel
import RxViewModelTesting

/// Runs what it is given when it is told to, on the thread that tells it.
final class HandScheduler: Scheduler {
  private let work = Locked<[@Sendable () -> Void]>([])

  func schedule(_ work: @escaping @Sendable () -> Void) {
    self.work.mutate { $0.append(work) }
  }

  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    schedule(work)
    return Disposables.create()
  }

  /// Runs what has been scheduled, and what that schedules.
  func run() {
    while true {
      let due = work.mutate { work in
        defer { work = [] }
        return work
      }
      if due.isEmpty { return }
      for work in due { work() }
    }
  }
}

/// The effect of one action: sends what it is told to, and counts who has called its mappers.
final class Effect: Sendable {
  let plan: Plan
  let action: Int
  let subject = PublishSubject<StateMapper<Tags>>()
  private let mappers = Locked(0)
  /// The mappers that have been called.
  let calls = Locked<[Int]>([])

  init(_ plan: Plan, action: Int) {
    self.plan = plan
    self.action = action
  }

  func observable() -> Observable<StateMapper<Tags>> {
    if plan.script.isJust { return .just(mapper()) }
    if plan.script.atOnce.isEmpty { return subject.asObservable() }
    return .create { [self] observer in
      for beat in plan.script.atOnce { send(beat, to: observer) }
      return subject.subscribe(observer)
    }
  }

  func send(_ beat: Beat) {
    send(beat, to: subject)
  }

  private func send(_ beat: Beat, to observer: some ObserverType<StateMapper<Tags>>) {
    switch beat {
    case .mapper: observer.onNext(mapper())
    case .throwing: observer.onNext { [action] _ in throw Fault(action: action) }
    case .resigning: observer.onNext { _ in throw CancellationError() }
    case .completed: observer.onCompleted()
    case .error: observer.onError(Fault(action: action))
    case .cancellation: observer.onError(CancellationError())
    }
  }

  private func mapper() -> StateMapper<Tags> {
    let tag = mappers.mutate { count in
      defer { count += 1 }
      return action * 10 + count
    }
    return { [calls] tags in
      calls.mutate { $0.append(tag) }
      return tags + [tag]
    }
  }
}

/// A view model whose actions are the numbers of a scenario's plans.
final class Actor: RxViewModel<Int, Tags>, @unchecked Sendable {  // Sendable: all are let.
  let scenario: Scenario
  let effects: [Effect]

  init(_ scenario: Scenario, scheduler: any Scheduler) {
    self.scenario = scenario
    effects = scenario.plans.indices.map { Effect(scenario.plans[$0], action: $0) }
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> Tags { [] }

  override func createObservable(_ action: Int) -> Observable<StateMapper<Tags>> {
    effects[action].observable()
  }

  override func showSpinner(_ action: Int) -> Bool { scenario.plans[action].spins }

  override func executionMode(for action: Int) -> ExecutionMode { scenario.plans[action].mode.executionMode }
}

/// A real view model in a scenario, with everything that it emits.
final class Stage: Sendable {
  let scenario: Scenario
  let actor: Actor
  let journal = Locked<[Line]>([])
  let busy = Locked<[Bool]>([])
  /// Where `currentState` was not the last state in a callback.
  let faults = Locked<[String]>([])
  private let scheduler = HandScheduler()
  private let accepted = Locked(0)
  private let subscriptions = Locked<[any Disposable]>([])

  init(_ scenario: Scenario) {
    self.scenario = scenario
    actor = Actor(scenario, scheduler: scheduler)
    note(actor.isLoadingObservable) { .loading($0) }
    note(actor.stateObservable) { .state($0) }
    note(actor.actionAndStateObservable) { .made($0.action, $0.state) }
    note(actor.errorObservable) { .error(($0 as? Fault)?.action ?? -1) }
    note(actor.actionAndErrorObservable) { .failedWith($0.action == ($0.error as? Fault)?.action ? $0.action! : -1) }
    note(actor.executionObservable) { Self.line($0) }
    journal.mutate { $0 = [] }
    let busy = busy
    let subscription = actor.isLoadingObservable(where: { _ in true }).subscribe(onNext: { isBusy in
      busy.mutate { $0.append(isBusy) }
    })
    subscriptions.mutate { $0.append(subscription) }
  }

  deinit {
    for subscription in subscriptions.value { subscription.dispose() }
  }

  private func note<Element>(_ stream: Observable<Element>, _ line: @escaping @Sendable (Element) -> Line) {
    let subscription = stream.subscribe { [unowned self] event in
      switch event {
      case .next(let element): add(line(element))
      case .error: add(.error(-1))
      case .completed: add(.end)
      }
    }
    subscriptions.mutate { $0.append(subscription) }
  }

  private func add(_ line: Line) {
    journal.mutate { $0.append(line) }
    if case .state(let tags) = line, actor.currentState != tags {
      faults.mutate { $0.append("currentState is not \(tags) in the callback") }
    }
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

  func perform(_ move: Move, beat: Beat?) {
    switch move {
    case .accept:
      let next = accepted.value
      if next == scenario.batch?.lowerBound {
        executeBatch()
      } else {
        actor.execute(next)
        accepted.mutate { $0 += 1 }
      }
    case .effect(let action): actor.effects[action].send(beat!)
    case .cancel(let number):
      let actions = scenario.cancellations[number]
      actor.cancelActions { actions.contains($0) }
    case .clear: actor.clear()
    case .turn: scheduler.run()
    }
    if !scenario.turns { scheduler.run() }
  }

  private func executeBatch() {
    let batch = scenario.batch!
    let first = batch.lowerBound
    switch batch.count {
    case 2: actor.executeInSequence(first, first + 1)
    case 3: actor.executeInSequence(first, first + 1, first + 2)
    default: actor.executeInSequence(first, first + 1, first + 2, first + 3)
    }
    accepted.mutate { $0 += batch.count }
  }

  func run() {
    scheduler.run()
  }
}
