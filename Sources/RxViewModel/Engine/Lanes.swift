/// Which actions wait for which: one state machine for all modes but `parallel`. The engine's drain asks it and acts.
@usableFromInline
struct Lanes<Action: Sendable, State: Sendable> {
  @usableFromInline typealias ActionRun = Run<Action, State>

  @usableFromInline
  enum Admission {
    case begin
    case wait
    case drop
    /// Begin after this one has been cancelled.
    case replace(ActionRun)
  }

  /// A lane with an unfinished action.
  @usableFromInline
  struct Lane {
    @usableFromInline var occupant: ActionRun
    @usableFromInline var waiting = Queue<ActionRun>()

    @inlinable
    init(_ occupant: ActionRun) {
      self.occupant = occupant
    }
  }

  /// The unfinished ordered and deferred actions in the order of acceptance. The first one is folded as its mappers
  /// arrive; those behind it wait.
  @usableFromInline var ordered = Queue<ActionRun>()
  /// The busy lanes of the other modes.
  @usableFromInline var lanes: [ExecutionMode: Lane] = [:]

  @inlinable
  init() {}

  @inlinable
  mutating func admit(_ run: ActionRun) -> Admission {
    let mode = run.record.mode
    switch mode.kind {
    case .parallel:
      return .begin
    case .parallelOrdered:
      ordered.append(run)
      return .begin
    case .parallelDeferred:
      ordered.append(run)
      return ordered.count == 1 ? .begin : .wait
    case .sequence:
      if lanes[mode] != nil {
        lanes[mode]!.waiting.append(run)
        return .wait
      }
    case .switchLatest:
      if let previous = lanes[mode]?.occupant {
        lanes[mode]!.occupant = run
        return .replace(previous)
      }
    case .dropWhileBusy:
      if lanes[mode] != nil { return .drop }
    }
    lanes[mode] = Lane(run)
    return .begin
  }

  /// Whether the run's mappers have to wait.
  @inlinable
  func isHeld(_ run: ActionRun) -> Bool {
    run.record.mode.kind == .parallelOrdered && ordered.first !== run
  }

  /// Whoever has the turn in the mode's lane.
  @inlinable
  func first(in mode: ExecutionMode) -> ActionRun? {
    mode.kind == .parallelOrdered || mode.kind == .parallelDeferred ? ordered.first : lanes[mode]?.occupant
  }

  /// Gives up the place of a run that is over. True if it has been in the way of another.
  @inlinable
  mutating func release(_ run: ActionRun) -> Bool {
    let mode = run.record.mode
    guard mode.kind != .parallel, first(in: mode) === run else { return false }
    switch mode.kind {
    case .parallelOrdered, .parallelDeferred:
      while let first = ordered.first, first.isOver { _ = ordered.popFirst() }
      return !ordered.isEmpty
    case .sequence:
      while let next = lanes[mode]!.waiting.popFirst() {
        if next.isOver { continue }
        lanes[mode]!.occupant = next
        return true
      }
      vacate(mode)
      return false
    case .parallel, .switchLatest, .dropWhileBusy:
      vacate(mode)
      return false
    }
  }

  @inlinable
  mutating func vacate(_ mode: ExecutionMode) {
    lanes[mode] = nil
    if lanes.isEmpty, lanes.capacity > 64 { lanes = [:] }
  }

  /// The runs that have not begun.
  @usableFromInline
  var waiting: [ActionRun] {
    let all = ordered.elements + lanes.values.flatMap { [$0.occupant] + $0.waiting.elements }
    return all.filter { !$0.hasStarted && !$0.isOver }
  }

  /// Forgets the runs that have ended while they waited.
  @usableFromInline
  mutating func purge() {
    for mode in lanes.keys { lanes[mode]!.waiting.removeAll { $0.isOver } }
    if let first = ordered.first, !first.isOver { ordered.removeAll { $0.isOver } }
  }
}
