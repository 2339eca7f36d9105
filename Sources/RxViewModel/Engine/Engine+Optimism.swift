// Optimistic updates (contract 2.20): what is shown before something is decided. On the driver.

extension Engine {
  /// Asks for the optimistic update of an action that its lane has admitted, and shows its change.
  @inline(__always)
  @inlinable
  func showUpdate(of run: Run, _ viewModel: ViewModel) {
    let update = run.owner.child.map { $0.update } ?? viewModel.optimisticUpdate(for: run.action)
    if let update { show(update, of: run) }
  }

  @usableFromInline
  func show(_ update: OptimisticUpdate<State>, of run: Run) {
    let owner = StepOwner(isSnapshot: update.isSnapshot)
    run.steps = owner
    guard let change = update.change, goesOn(run) else { return }
    run.owner.instance?.checkIdentity()
    let steps = openSteps()
    present(current!.next { steps.show(change, of: owner, on: $0) })
    diagnose(steps)
  }

  /// An action begins, which has an update, or while there are steps. Returns whether it goes on.
  @usableFromInline
  func beginSteps(_ run: Run) -> Bool {
    run.steps = run.steps ?? StepOwner()
    let steps = openSteps()
    steps.begin(run.steps!)
    diagnose(steps)
    return goesOn(run)
  }

  func openSteps() -> OptimisticSteps<State> {
    let steps = optimism ?? OptimisticSteps(current!.value, begun: begun)
    optimism = steps
    return steps
  }

  /// The state that follows if a mapper of a run is folded now, among the undecided steps.
  @usableFromInline
  func next(
    _ mapper: @escaping Mapper, of run: Run, _ kind: Fold, _ steps: OptimisticSteps<State>
  ) throws -> Box<State> {
    steps.forget()
    if case .completes(isEmpty: true) = kind { return current!.next { $0 } }
    let isOwnTurn = run.steps?.startsOnTop == true || shared.withLock { $0.subscribing == run.id }
    if run.stage != .following { run.steps = run.steps ?? StepOwner() }
    let takesBack = if case .fails = kind { true } else { false }
    let instance = run.owner.child == nil ? nil : run.owner.instance
    instance?.checkIdentity()
    return try current!.next { shown in
      try steps.fold(mapper, of: run.steps, on: shown, isOwnTurn: isOwnTurn, takesBack: takesBack) {
        isPresent(instance, in: $0)
      }
    }
  }

  /// The mapper that has run last counts.
  @usableFromInline
  func acceptStep(_ steps: OptimisticSteps<State>) {
    steps.accept()
    diagnose(steps)
  }

  /// Takes back the change of an action that doesn't complete.
  @usableFromInline
  func takeBack(_ run: Run, _ steps: OptimisticSteps<State>) {
    if let owner = run.steps, steps.takeBack(owner) { present(current!.next { _ in steps.shown }) }
  }

  /// Confirms or takes back the change of an action that has ended.
  @usableFromInline
  func decide(_ run: Run, _ outcome: Outcome, _ steps: OptimisticSteps<State>) {
    if !outcome.isSuccess { takeBack(run, steps) }
    if let owner = run.steps { steps.end(owner) }
    if steps.steps.isEmpty { (begun, optimism) = (steps.begun, nil) }
  }

  /// Makes a state current that no mapper has produced, and delivers it. `clear()` keeps what is shown.
  func present(_ state: Box<State>) {
    var (delivery, delivers) = (SubjectDelivery<Box<State>>(), false)
    let isOpen = shared.withLock { shared in
      if !shared.isClosed { delivers = shared.states.accept(state, &delivery) }
      return !shared.isClosed
    }
    if !isOpen { return }
    current = state
    endRemoved()
    tap?.fold(state.value)
    if delivers { deliver(state, &delivery) }
  }

  /// Reports the action whose outcome a thousand steps wait for, once.
  func diagnose(_ steps: OptimisticSteps<State>) {
    if steps.isLong || steps.steps.count < 1_000 { return }
    steps.isLong = true
    let run = shared.withLock { shared in shared.runs.first { $0.steps === steps.steps[0].owner } }
    if let run { viewModel?.diagnose(.undecided(run.action)) }
  }

  // MARK: Children

  /// Whether a state has the child of an instance. True for the view model itself.
  func isPresent(_ instance: ChildInstance?, in state: State) -> Bool {
    guard let rootInstance, let instance else { return true }
    let absent = rootInstance.removed(in: state)
    return absent.isEmpty || !instance.way.contains { part in absent.contains { $0 === part } }
  }

  /// Of a child that the shown state lacks, and those in it, the ones that only a confirmed step has removed.
  @usableFromInline
  func removedForGood(_ child: ChildInstance, _ steps: OptimisticSteps<State>) -> [ChildInstance] {
    let state = steps.state { isPresent(child, in: $0) }
    let removed = root.removed(in: state).filter { $0.way.contains { $0 === child } }
    if removed.contains(where: { $0 === child }) { return [child] }
    child.checkIdentity()
    return removed.flatMap { removedForGood($0, steps) }
  }

  /// The shown state or, while an undecided change hides the child of the action, the one without that change.
  @usableFromInline
  func state(for run: Run, _ steps: OptimisticSteps<State>) -> Box<State> {
    if isPresent(run.owner.instance, in: current!.value) { return current! }
    return Box(steps.state { isPresent(run.owner.instance, in: $0) })
  }
}
