import RxViewModel

@testable import TestSupport

/// Runs a scenario on a real view model, and records its events.
final class ScenarioRunner: Sendable {
  let scenario: Scenario
  let viewModel: ScriptedViewModel
  let journal = Locked<[LogEntry]>([])
  /// The values that `isLoadingObservable(where:)` has emitted for all actions.
  let busy = Locked<[Bool]>([])
  /// The callbacks in which `currentState` was not the last state.
  let faults = Locked<[String]>([])
  private let last = Locked<Tags>([])
  private let provocation: Provocation?
  private let scheduler = HandScheduler()
  private let accepted = Locked(0)
  private let cancelled = Locked<Set<Int>>([])
  private let bag = DisposeBag()
  /// False while the streams replay, when a provocation must not act.
  private let isReady = Locked(false)

  init(_ scenario: Scenario, _ provocation: Provocation? = nil) {
    self.scenario = scenario
    self.provocation = provocation
    let stage = Locked<Weak<ScenarioRunner>?>(nil)
    viewModel = ScriptedViewModel(scenario.plans, scheduler: scheduler) { point, action in
      if provocation != nil { stage.value?.object?.reached(point, action) }
    }
    stage.mutate { $0 = Weak(object: self) }
    for subscription in viewModel.note({ [unowned self] in add($0) }) { subscription.disposed(by: bag) }
    journal.mutate { $0 = [] }
    viewModel.isLoadingObservable(where: { _ in true }).subscribe(onNext: { [busy] isBusy in
      busy.mutate { $0.append(isBusy) }
    }).disposed(by: bag)
    isReady.mutate { $0 = true }
  }

  private func add(_ line: LogEntry) {
    let folded = journal.mutate { journal -> Tags in
      journal.append(line)
      if case .state(let tags) = line { last.mutate { $0 = tags } }
      return last.value
    }
    if viewModel.currentState != folded {
      faults.mutate { $0.append("currentState is not \(folded) in the callback of \(line)") }
    }
    if provocation != nil, let (point, action) = line.point { reached(point, action) }
  }

  /// Clears the view model, and runs the remaining work of its scheduler, because otherwise the two would retain each other.
  func close() {
    viewModel.clear()
    scheduler.run()
  }

  // MARK: Moves

  func perform(_ move: Move) {
    act(move)
    if move == .turn || !scenario.turns { scheduler.run() }
  }

  /// Makes a move, without the turn of the scheduler that may follow it.
  private func act(_ move: Move) {
    switch move {
    case .accept: execute()
    case .effect(let action): viewModel.effects[action].sendNext()
    case .cancel(let number):
      let actions = scenario.cancellations[number]
      viewModel.cancelActions { actions.contains($0) }
    case .clear: viewModel.clear()
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
      case 1: viewModel.execute(next)
      case 2: viewModel.executeInSequence(next, next + 1)
      case 3: viewModel.executeInSequence(next, next + 1, next + 2)
      default: viewModel.executeInSequence(next, next + 1, next + 2, next + 3)
      }
    }
  }

  private func reached(_ point: CallbackPoint, _ action: Int) {
    if !isReady.value { return }
    if let moves = provocation?.met(at: point, action) { for move in moves { act(move) } }
  }
}
