/// The place of an unfinished action in its lane.
@usableFromInline
struct LaneLink<Action: Sendable, State: Sendable> {
  @usableFromInline var lane: ActionLane<Action, State>?
  @usableFromInline var previous: EngineRun<Action, State>?
  @usableFromInline var next: EngineRun<Action, State>?
  /// Whether the action has joined another one, and has not taken its place.
  @usableFromInline var hasJoined = false
  /// Whether the action doesn't wait, and no earlier one does.
  @usableFromInline var isAhead = false

  @inlinable
  init() {}
}

/// The unfinished actions of one lane, in the order of their admission: a linked list.
@usableFromInline
final class ActionLane<Action: Sendable, State: Sendable> {
  @usableFromInline typealias Run = EngineRun<Action, State>

  /// The identity of a lane: its name, or the number of its default lane, and the child's instance that owns it, if there is one.
  @usableFromInline
  struct Key: Hashable {
    @usableFromInline let name: ExecutionMode.Lane?
    @usableFromInline let number: Int
    @usableFromInline let owner: ObjectIdentifier?

    @inlinable
    init(_ mode: ExecutionMode, of owner: ObjectIdentifier?) {
      (name, number, self.owner) = (mode.lane, mode.lane == nil ? mode.laneRules.defaultLane : 0, owner)
    }
  }

  @usableFromInline let key: Key
  @exclusivity(unchecked) @usableFromInline var first: Run?
  @exclusivity(unchecked) @usableFromInline var last: Run?
  @exclusivity(unchecked) @usableFromInline var count = 0
  /// The first run that waits, debounced or for its turn, and the number of runs before it.
  @exclusivity(unchecked) @usableFromInline var waiting: Run?
  @exclusivity(unchecked) @usableFromInline var ahead = 0

  @inlinable
  init(_ key: Key) { self.key = key }

  /// The first run that waits, if its turn to start has come.
  @inlinable
  var candidate: Run? { waiting.flatMap { $0.stage == .waiting && ahead < $0.mode!.laneRules.limit ? $0 : nil } }

  @inlinable
  var runs: UnfoldSequence<Run, Run?> {
    sequence(state: first) { run in
      defer { run = run?.link.next }
      return run
    }
  }

  /// Appends a run that waits, has joined another one, or is about to start.
  @inlinable
  func append(_ run: Run) {
    if case nil = waiting { (waiting, ahead) = (run, count) }
    count += 1
    (run.link.lane, run.link.previous) = (self, last)
    if let last { last.link.next = run } else { first = run }
    last = run
  }

  /// If the run was the first waiting one, moves on to the next that waits. Called when the run has started or ended. O(1) for each run,
  /// amortized.
  @inlinable
  func pass(_ run: Run) {
    if run !== waiting { return }
    while let passed = waiting, passed === run || !passed.stage.isWaiting {
      passed.link.isAhead = true
      (waiting, ahead) = (passed.link.next, ahead + 1)
    }
  }

  @inlinable
  func remove(_ run: Run) {
    pass(run)
    if run.link.isAhead { ahead -= 1 }
    count -= 1
    let link = run.link
    if let previous = link.previous { previous.link.next = link.next } else { first = link.next }
    if let next = link.next { next.link.previous = link.previous } else { last = link.previous }
    run.link = LaneLink()
  }
}
