@testable import TestSupport

/// Runs scenarios in every order of moves on a real view model, and compares its events with the journal of ``ReferenceModel``.
struct Explorer {
  /// The number of orders that have been run.
  private(set) var count = 0
  /// The first few differences.
  private(set) var faults: [String] = []

  /// Runs every order.
  mutating func explore(_ scenario: Scenario) {
    var moves: [Move] = []
    descend(ReferenceModel(scenario), &moves)
  }

  /// Runs one random order.
  mutating func sample(_ scenario: Scenario, _ random: inout some RandomNumberGenerator) {
    var model = ReferenceModel(scenario)
    var moves: [Move] = []
    while let move = model.moves.randomElement(using: &random) {
      moves.append(move)
      model.perform(move)
    }
    run(moves, model)
  }

  private mutating func descend(_ model: ReferenceModel, _ moves: inout [Move]) {
    let choices = model.moves
    if choices.isEmpty { return run(moves, model) }
    for move in choices where faults.count < 5 {
      var next = model
      next.perform(move)
      moves.append(move)
      descend(next, &moves)
      moves.removeLast()
    }
  }

  private mutating func run(_ moves: [Move], _ model: ReferenceModel) {
    count += 1
    let stage = ScenarioRunner(model.scenario)
    defer { stage.close() }
    for move in moves { stage.perform(move) }
    let found =
      differences(stage, model)
      + (model.scenario.hasChildren ? [] : Invariants(model.scenario, stage.journal.value).faults)
    if !found.isEmpty { faults.append("\(model.scenario), \(moves): \(found.joined(separator: "; "))") }
  }

  /// Runs one order, with moves from inside the view model's own work, and compares. If the moves come from inside a dispose action, it
  /// only checks the invariants.
  mutating func provoke(_ scenario: Scenario, _ moves: [Move], _ provocation: Provocation) {
    let stage = ScenarioRunner(scenario, provocation)
    defer { stage.close() }
    var model = ReferenceModel(scenario, Provocation(provocation.point, of: provocation.action, provocation.moves))
    for move in moves {
      stage.perform(move)
      model.perform(move)
    }
    if provocation.hasHappened { count += 1 }
    var found =
      stage.faults.value
      + (scenario.hasChildren ? [] : Invariants(scenario, stage.journal.value, isProvoked: true).faults)
    // The streams decide when to dispose an effect that ends by itself, so the reference model does not know that time.
    if provocation.point != .dispose {
      if stage.journal.value != model.journal { found.append("instead of \(model.journal)") }
      if stage.busy.value != model.busy { found.append("busy \(stage.busy.value) instead of \(model.busy)") }
    }
    let states = stage.journal.value.compactMap { line -> Tags? in if case .state(let tags) = line { tags } else { nil }
    }
    if stage.viewModel.currentState != states.last ?? [] {
      found.append("currentState is \(stage.viewModel.currentState)")
    }
    for effect in stage.viewModel.effects where Set(effect.calls.value).count != effect.calls.value.count {
      found.append("mappers called twice: \(effect.calls.value)")
    }
    if zip(stage.busy.value, stage.busy.value.dropFirst()).contains(where: ==) { found.append("busy twice") }
    if !found.isEmpty, faults.count < 5 {
      faults.append("\(scenario), \(moves), \(provocation): \(found.joined(separator: "; ")): \(stage.journal.value)")
    }
  }

  private func differences(_ stage: ScenarioRunner, _ model: ReferenceModel) -> [String] {
    var found = stage.faults.value
    if stage.journal.value != model.journal {
      found.append("emitted \(stage.journal.value) instead of \(model.journal)")
    }
    if stage.busy.value != model.busy {
      found.append("isLoadingObservable(where:) emitted \(stage.busy.value) instead of \(model.busy)")
    }
    if stage.viewModel.currentState != model.state { found.append("currentState is \(stage.viewModel.currentState)") }
    for effect in stage.viewModel.effects {
      let calls = effect.calls.value
      if Set(calls).count != calls.count { found.append("mappers called twice: \(calls)") }
      if calls != model.state.filter({ ChildChange.action(of: $0) == effect.action }) {
        found.append("mappers not folded: \(calls)")
      }
      if effect.subject.hasObservers, model.status[effect.action] != .running {
        found.append("\(effect.action) is over, but its effect is not disposed")
      }
    }
    return found
  }
}
