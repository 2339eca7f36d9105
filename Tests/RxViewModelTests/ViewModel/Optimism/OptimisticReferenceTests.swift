import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// The model of contract 2.20, written down a second time: a list of all steps, which is applied from the beginning for each state.
private struct Reference {
  enum Kind { case change, request, mapper }
  struct Step {
    let action: Int
    let kind: Kind
    let body: FeedPlan.Change
    /// The number of the step.
    var number = 0
    /// Whether it is part of the base.
    var isCertain = false
  }

  let plans: [FeedPlan]
  var steps: [Step] = []
  var unfinished: [Int] = []
  var completed: Set<Int> = []
  /// The numbers of the steps that were done when an action began.
  var before: [Int: Set<Int>] = [:]
  /// The numbers of the mappers for errors.
  var recovered: Set<Int> = []
  var number = 0

  private func isOpen(_ step: Step) -> Bool { step.kind == .change && !completed.contains(step.action) }

  func shown(_ steps: [Step]? = nil, keeping row: Int? = nil) -> Feed {
    (steps ?? self.steps).reduce(Feed()) { feed, step in
      var next = feed
      step.body(&next)
      return row.map { isOpen(step) && feed.has($0) && !next.has($0) } ?? false ? feed : next
    }
  }

  /// An action is taken. Returns whether its child is present.
  mutating func execute(_ action: Int) -> Bool {
    let plan = plans[action]
    if let row = plan.row, !shown().has(row) { return false }
    unfinished.append(action)
    number += 1
    if let change = lifted(plan) { steps.append(Step(action: action, kind: .change, body: change, number: number)) }
    settle()
    return true
  }

  private func lifted(_ plan: FeedPlan) -> FeedPlan.Change? {
    guard let row = plan.row else { return plan.change }
    return plan.rowChange.map { Self.lift($0, to: row) }
  }

  static func lift(_ change: @escaping FeedPlan.RowChange, to row: Int) -> FeedPlan.Change {
    { feed in if let index = feed.rows.firstIndex(where: { $0.id == row }) { change(&feed.rows[index]) } }
  }

  /// A mapper of an action that has ended, or a confirmed change.
  private func isDone(_ step: Step) -> Bool {
    switch step.kind {
    case .change: completed.contains(step.action)
    case .mapper: !unfinished.contains(step.action) || plans[step.action].isSnapshot && !recovered.contains(step.number)
    case .request: true
    }
  }

  mutating func start(_ action: Int) {
    before[action] = Set(steps.filter { isDone($0) && $0.kind != .request }.map(\.number))
    if !plans[action].isSnapshot { return }
    // What is done moves in front of what is not, where that changes nothing.
    var (first, last) = ([Step](), [Step]())
    for (index, step) in steps.enumerated() {
      let isSame = last.isEmpty || shown(first + [step] + last) == shown(Array(steps[...index]))
      if step.isCertain || isDone(step) && isSame { first.append(step) } else { last.append(step) }
    }
    steps = first + [Step(action: action, kind: .request, body: { _ in })] + last
  }

  mutating func fold(_ action: Int, isOwnTurn: Bool = false, _ body: @escaping FeedPlan.Change) {
    place(action, isOwnTurn: isOwnTurn, body)
    settle()
  }

  private mutating func place(
    _ action: Int, isOwnTurn: Bool = false, isRecovery: Bool = false, _ body: @escaping FeedPlan.Change
  ) {
    var step = Step(action: action, kind: .mapper, body: body)
    number += 1
    step.number = number
    if isRecovery {
      recovered.insert(number)
      return steps.append(step)
    }
    func present(_ place: Int) -> Int {
      guard let row = plans[action].row else { return place }
      return (place...steps.count).first { shown(Array(steps[..<$0])).has(row) } ?? steps.count
    }
    var place = steps.count
    let own = steps.firstIndex { $0.action == action && $0.kind == .change }
    if let request = steps.firstIndex(where: { $0.action == action && $0.kind == .request }) {
      place = max(request, (steps.lastIndex { $0.action == action && $0.kind == .mapper } ?? -1) + 1)
      if let own, own >= place {
        steps.insert(steps.remove(at: own), at: place)
        place += 1
      }
    } else if isOwnTurn, own != nil {
      place = steps.lastIndex { $0.action == action }! + 1
    } else if !isOwnTurn {
      let known = before[action] ?? []
      let last = steps.lastIndex { $0.action == action && !$0.isCertain || known.contains($0.number) }
      place = present(steps.indices.first { $0 > last ?? -1 && isOpen(steps[$0]) } ?? steps.count)
    }
    steps.insert(step, at: place)
  }

  mutating func end(_ action: Int, isSuccess: Bool, recovery: FeedPlan.Change? = nil) {
    if isSuccess { completed.insert(action) }
    if let recovery { place(action, isRecovery: true, recovery) }
    unfinished.removeAll { $0 == action }
    steps.removeAll { $0.action == action && ($0.kind == .request || $0.kind == .change && !isSuccess) }
    settle()
  }

  /// Ends the actions of rows that a certain step has removed. Then says which steps are certain.
  private mutating func settle() {
    let orphan = unfinished.first { action in
      guard let row = plans[action].row else { return false }
      return !shown().has(row) && !shown(keeping: row).has(row)
    }
    if let orphan { return end(orphan, isSuccess: false) }
    let certain = steps.firstIndex { isOpen($0) || $0.kind == .request } ?? steps.count
    for index in 0..<certain { steps[index].isCertain = true }
  }
}

@Suite(.ownThread) struct OptimisticReferenceTests {
  private static func plan(_ action: Int, _ random: inout SplitMix64) -> FeedPlan {
    let row = Int.random(in: 0..<3, using: &random)
    var plan = FeedPlan()
    switch Int.random(in: 0..<8, using: &random) {
    case 0...1: plan.change = { $0.insert(row) }
    case 2: plan.change = { $0.remove(row) }
    case 3: plan.change = { $0.log.append(action) }
    case 4...5:
      plan.row = row
      if Bool.random(using: &random) { plan.rowChange = { $0.text.append(action) } }
    default: break
    }
    if plan.row == nil, Int.random(in: 0..<4, using: &random) == 0 { plan.isSnapshot = true }
    if plan.row == nil, Bool.random(using: &random) { plan.mode = .sequence }
    if Int.random(in: 0..<4, using: &random) == 0 { plan.first = body(of: plan, 200 + action, &random) }
    if Bool.random(using: &random) { plan.recovery = { $0.log.append(900 + action) } }
    return plan
  }

  /// What a mapper of an action does.
  private static func body(of plan: FeedPlan, _ value: Int, _ random: inout SplitMix64) -> FeedPlan.Change {
    let row = Int.random(in: 0..<3, using: &random)
    if let own = plan.row { return { $0.append(value, to: own) } }
    if plan.isSnapshot {
      let rows = (0..<3).filter { _ in Bool.random(using: &random) }
      return { feed in
        feed.rows = rows.map { id in feed.rows.first { $0.id == id } ?? .init(id: id) }
        feed.log.append(value)
      }
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return { $0.insert(row) }
    case 1: return { $0.remove(row) }
    default: return { $0.log.append(value) }
    }
  }

  /// Random actions with changes, snapshots, lanes and children; random mappers, errors, cancellations and ends.
  private static func play(_ seed: UInt64, steps: Int) -> (script: [String], fault: String?) {
    var random = SplitMix64(seed: seed)
    let plans = (0..<10).map { plan($0, &random) }
    let reference = Locked(Reference(plans: plans))
    let (subjects, started) = (plans.map { _ in PublishSubject<FeedPlan.Change>() }, Locked<Set<Int>>([]))
    let effect = { @Sendable (action: Int) -> Observable<FeedPlan.Change> in
      started.mutate { _ = $0.insert(action) }
      reference.mutate { $0.start(action) }
      guard let first = plans[action].first else { return subjects[action].asObservable() }
      reference.mutate { $0.fold(action, isOwnTurn: true, first) }
      return .concat([.just(first), subjects[action].asObservable()])
    }
    let row = FeedRow(
      plans: { plans[$0] },
      effect: { action in
        effect(action).map { change in
          { row in
            var feed = Feed(rows: [row])
            change(&feed)
            row = feed.rows[0]
          }
        }
      })
    let screen = ClosureViewModel<Int, Feed>(Feed(), scheduler: ImmediateScheduler()) { _, action in
      effect(action).mutate { $1(&$0) }
    } overrides: {
      $0.child = { _, action in plans[action].row.map { .init(row, action, at: \.rows, id: $0, as: { $0 }) } }
      $0.mode = { _, action in plans[action].mode }
      $0.update = { _, action in plans[action].update }
      $0.errorMapper = { _, _, action in plans[action].errorMapper }
    }
    var (executed, script) = (0, [String]())
    for _ in 0..<steps {
      let live = reference.value.unfinished.filter { started.value.contains($0) }
      let action = live.randomElement(using: &random)
      switch (Int.random(in: 0..<9, using: &random), action) {
      case (0...3, _) where executed < plans.count:
        script.append("execute \(executed)")
        reference.mutate { _ = $0.execute(executed) }
        screen.execute(executed)
        executed += 1
      case (4...5, let action?):
        script.append("next \(action)")
        let body = body(of: plans[action], 300 + script.count, &random)
        reference.mutate { $0.fold(action, body) }
        subjects[action].onNext(body)
      case (6, let action?):
        script.append("complete \(action)")
        reference.mutate { $0.end(action, isSuccess: true) }
        subjects[action].onCompleted()
      case (7, let action?):
        script.append("fail \(action)")
        reference.mutate { $0.end(action, isSuccess: false, recovery: plans[action].recovery) }
        subjects[action].onError(Offline())
      case (8, _):
        guard let action = reference.value.unfinished.randomElement(using: &random) else { break }
        script.append("cancel \(action)")
        reference.mutate { $0.end(action, isSuccess: false) }
        screen.cancelActions { $0 == action }
      default: break
      }
      let expected = reference.value.shown()
      if screen.currentState != expected { return (script, "\(screen.currentState) instead of \(expected)") }
    }
    return (script, nil)
  }

  private func stepsAreAsTheReferenceSays(seeds: Range<UInt64>) {
    for seed in seeds {
      let (script, fault) = Self.play(seed, steps: 30)
      if let fault {
        Issue.record("seed \(seed): \(script): \(fault)")
        return
      }
    }
  }

  @Test func everyStepIsAsTheReferenceSays() { stepsAreAsTheReferenceSays(seeds: 0..<300) }

  @Test(.stress) func aHundredThousandSteps() { stepsAreAsTheReferenceSays(seeds: 300..<4_000) }
}
