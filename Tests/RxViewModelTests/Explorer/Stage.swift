import RxViewModel

/// A real view model in a scenario, with everything that it emits.
final class Stage: Sendable {
  let scenario: Scenario
  let actor: Actor
  let journal = Locked<[Line]>([])
  /// What `isLoadingObservable(where:)` has emitted, for all actions.
  let busy = Locked<[Bool]>([])
  /// Where `currentState` was not the last state in a callback.
  let faults = Locked<[String]>([])
  private let last = Locked<Tags>([])
  private let provocation: Provocation?
  private let scheduler = HandScheduler()
  private let accepted = Locked(0)
  private let cancelled = Locked<Set<Int>>([])
  private let bag = DisposeBag()
  /// What the streams replay does not count.
  private let isReady = Locked(false)

  init(_ scenario: Scenario, _ provocation: Provocation? = nil) {
    self.scenario = scenario
    self.provocation = provocation
    let stage = Locked<Weak<Stage>?>(nil)
    actor = Actor(scenario.plans, scheduler: scheduler) { spot, action in
      if provocation != nil { stage.value?.object?.reached(spot, action) }
    }
    stage.mutate { $0 = Weak(object: self) }
    for subscription in actor.note({ [unowned self] in add($0) }) { subscription.disposed(by: bag) }
    journal.mutate { $0 = [] }
    actor.isLoadingObservable(where: { _ in true }).subscribe(onNext: { [busy] isBusy in
      busy.mutate { $0.append(isBusy) }
    }).disposed(by: bag)
    isReady.mutate { $0 = true }
  }

  private func add(_ line: Line) {
    let folded = journal.mutate { journal -> Tags in
      journal.append(line)
      if case .state(let tags) = line { last.mutate { $0 = tags } }
      return last.value
    }
    if actor.currentState != folded {
      faults.mutate { $0.append("currentState is not \(folded) in the callback of \(line)") }
    }
    if provocation != nil, let (spot, action) = line.spot { reached(spot, action) }
  }

  /// Ends the view model, and runs what its scheduler has still to run: else each would keep the other alive.
  func close() {
    actor.clear()
    scheduler.run()
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
    case .quiet: scheduler.passTime()
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
    if !isReady.value { return }
    if let moves = provocation?.met(at: spot, action) { for move in moves { act(move) } }
  }
}
