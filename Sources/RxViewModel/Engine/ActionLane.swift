/// The unfinished actions of one lane, in the order of their admission. A linked list, so that removing an action is
/// O(1). It does not retain the runs: the table of the outputs does.
@usableFromInline
final class ActionLane<Action: Sendable, State: Sendable> {
  @usableFromInline typealias Run = ActionRun<Action, State>

  /// The identity of a lane. Each instance of a child has lanes of its own.
  @usableFromInline
  enum Key: Hashable {
    /// The lane that all ordered and deferred actions share.
    case ordered(of: ObjectIdentifier?)
    /// A mode's default lane.
    case standard(ExecutionMode.Kind, of: ObjectIdentifier?)
    /// A named lane, shared by the modes.
    case named(ExecutionMode.Lane, of: ObjectIdentifier?)
  }

  @usableFromInline let key: Key
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var first: Run?
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var last: Run?

  @inlinable
  init(_ key: Key) {
    self.key = key
  }

  @inlinable
  var isEmpty: Bool { first == nil }

  /// Whether its next action waits for nothing but its turn, once those before it have ended. O(n) in the number of these.
  @usableFromInline
  var isReady: Bool {
    var run = first
    while let next = run, next.stage == .ending { run = next.next }
    return run?.stage == .waiting && run!.mode!.quiet == nil
  }

  @inlinable
  func append(_ run: Run) {
    run.lane = self
    run.previous = last
    if let last { last.next = run } else { first = run }
    last = run
  }

  /// Removes the run. Returns true if it was the first.
  @inlinable
  func remove(_ run: Run) -> Bool {
    let (previous, next) = (run.previous, run.next)
    if let previous { previous.next = next } else { first = next }
    if let next { next.previous = previous } else { last = previous }
    (run.lane, run.previous, run.next) = (nil, nil, nil)
    return previous == nil
  }
}

extension ActionLane.Key {
  @inlinable
  init(_ mode: ExecutionMode, of owner: ObjectIdentifier?) {
    switch mode.kind {
    case .parallelOrdered, .parallelDeferred: self = .ordered(of: owner)
    case .parallel, .sequence, .switchLatest, .dropWhileBusy:
      self = mode.lane.map { .named($0, of: owner) } ?? .standard(mode.kind, of: owner)
    }
  }
}

extension Machine {
  /// The lane of a run, which has a mode: O(1).
  @inlinable
  mutating func lane(for run: Run) -> Lane {
    let key = Lane.Key(run.mode!, of: run.ownerOfLanes.map { ObjectIdentifier($0) })
    if let lane = lanes[key] { return lane }
    let lane = Lane(key)
    lanes[key] = lane
    return lane
  }

  /// Takes a run out of its lane. A lane without runs goes, and the next run of another one moves up.
  @inlinable
  mutating func leaveLane(_ run: Run) {
    guard let lane = run.lane else { return }
    let wasFirst = lane.remove(run)
    if !lane.isEmpty {
      if wasFirst { jobs.append(.advance(lane)) }
      return
    }
    lanes[lane.key] = nil
    if lanes.isEmpty, lanes.capacity > 64 { lanes = [:] }
  }
}
