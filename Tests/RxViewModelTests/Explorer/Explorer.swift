/// Runs scenarios in every order of moves, on a real view model, and compares what it emits with the model's journal.
struct Explorer {
  /// How many orders have been run.
  private(set) var count = 0
  /// The first few differences.
  private(set) var faults: [String] = []

  /// Runs every order.
  mutating func explore(_ scenario: Scenario) {
    var steps: [Step] = []
    descend(ReferenceModel(scenario), &steps)
  }

  /// Runs one order, drawn at random.
  mutating func sample(_ scenario: Scenario, _ random: inout some RandomNumberGenerator) {
    var model = ReferenceModel(scenario)
    var steps: [Step] = []
    while let move = model.moves.randomElement(using: &random) {
      steps.append(Step(move, in: model))
      model.perform(move)
    }
    run(steps, model)
  }

  /// A move, and for that of an effect what it sends.
  private struct Step: CustomStringConvertible {
    let move: Move
    let beat: Beat?

    init(_ move: Move, in model: ReferenceModel) {
      self.move = move
      if case .effect(let action) = move { beat = model.nextBeat(of: action) } else { beat = nil }
    }

    var description: String { "\(move)" }
  }

  private mutating func descend(_ model: ReferenceModel, _ steps: inout [Step]) {
    let choices = model.moves
    if choices.isEmpty { return run(steps, model) }
    for move in choices where faults.count < 5 {
      var next = model
      next.perform(move)
      steps.append(Step(move, in: model))
      descend(next, &steps)
      steps.removeLast()
    }
  }

  private mutating func run(_ steps: [Step], _ model: ReferenceModel) {
    count += 1
    let stage = Stage(model.scenario)
    for step in steps { stage.perform(step.move, beat: step.beat) }
    let found = differences(stage, model) + Invariants(model.scenario, stage.journal.value).faults
    if !found.isEmpty { faults.append("\(model.scenario), \(steps): \(found.joined(separator: "; "))") }
  }

  private func differences(_ stage: Stage, _ model: ReferenceModel) -> [String] {
    var found = stage.faults.value
    if stage.journal.value != model.journal {
      found.append("emitted \(stage.journal.value) instead of \(model.journal)")
    }
    if stage.busy.value != model.busy {
      found.append("isLoadingObservable(where:) emitted \(stage.busy.value) instead of \(model.busy)")
    }
    if stage.actor.currentState != model.state { found.append("currentState is \(stage.actor.currentState)") }
    for effect in stage.actor.effects {
      let calls = effect.calls.value
      if Set(calls).count != calls.count { found.append("mappers called twice: \(calls)") }
      if calls != model.state.filter({ $0 / 10 == effect.action }) { found.append("mappers called in vain: \(calls)") }
      if effect.subject.hasObservers, model.status[effect.action] != .running {
        found.append("\(effect.action) is over, but its effect is not disposed")
      }
    }
    return found
  }
}
