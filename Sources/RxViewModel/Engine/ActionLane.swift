/// The unfinished actions of one lane, in the order of their admission. A linked list, so that removing an action is
/// O(1). It does not retain the runs: the table of the outputs does.
@usableFromInline
final class ActionLane<Action: Sendable, State: Sendable> {
  @usableFromInline typealias Run = EngineRun<Action, State>

  /// The identity of a lane. Each instance of a child has lanes of its own.
  @usableFromInline
  enum Key: Hashable {
    /// The lane that all ordered and deferred actions share.
    case ordered(of: ObjectIdentifier?)
    /// A mode's default lane. All limits share one.
    case sequence(of: ObjectIdentifier?)
    case limited(of: ObjectIdentifier?)
    case switchLatest(of: ObjectIdentifier?)
    case dropWhileBusy(of: ObjectIdentifier?)
    /// A named lane, shared by the modes.
    case named(ExecutionMode.Lane, of: ObjectIdentifier?)
  }

  @usableFromInline let key: Key
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var first: Run?
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var last: Run?

  /// The first run that waits, or one before it: ``firstWaiting`` moves this on.
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var waiting: Run?
  /// The number of runs before `waiting`.
  @exclusivity(unchecked) @usableFromInline var ahead = 0

  /// Whether the runs have ascending ids. They do not if the player of a recording has sent one again.
  @exclusivity(unchecked) @usableFromInline var isAscending = true

  @inlinable
  init(_ key: Key) {
    self.key = key
  }

  @inlinable
  var isEmpty: Bool { first == nil }

  /// The first run that waits.
  @inlinable
  var firstWaiting: Run? {
    while let run = waiting, run.stage != .waiting { (waiting, ahead) = (run.next, ahead + 1) }
    return waiting
  }

  /// The first run that waits, if its turn to start has come.
  @inlinable
  var candidate: Run? { firstWaiting.flatMap { ahead < $0.mode!.limit ? $0 : nil } }

  /// Whether the first run has held events, which may be released now.
  @inlinable
  var holdsEvents: Bool { first.map { $0.stage == .started && !$0.held.isEmpty } ?? false }

  /// Whether a run waits for nothing but its turn, once those that are ending have ended. Looks only at these and at as many others as may
  /// run beside it.
  @usableFromInline
  var isReady: Bool {
    guard let waiting = firstWaiting else { return false }
    var (run, unfinished) = (first, 0)
    while let next = run, next !== waiting, unfinished < waiting.mode!.limit {
      if next.stage != .ending { unfinished += 1 }
      run = next.next
    }
    return unfinished < waiting.mode!.limit
  }

  @inlinable
  func append(_ run: Run) {
    run.lane = self
    run.previous = last
    if let last {
      last.next = run
      if run.id < last.id { isAscending = false }
    } else {
      first = run
    }
    last = run
    if waiting == nil { waiting = run }
  }

  /// Removes the run.
  @inlinable
  func remove(_ run: Run) {
    let (previous, next) = (run.previous, run.next)
    if waiting === run { waiting = next } else if waiting.map({ isBefore(run, $0) }) ?? true { ahead -= 1 }
    if let previous { previous.next = next } else { first = next }
    if let next { next.previous = previous } else { last = previous }
    (run.lane, run.previous, run.next) = (nil, nil, nil)
  }

  /// O(1) while the ids ascend.
  @inlinable
  func isBefore(_ run: Run, _ other: Run) -> Bool {
    if isAscending { return run.id < other.id }
    var next = run.next
    while let found = next, found !== other { next = found.next }
    return next != nil
  }
}

extension ActionLane.Key {
  @inlinable
  init(_ mode: ExecutionMode, of owner: ObjectIdentifier?) {
    if let name = mode.lane {
      self = .named(name, of: owner)
      return
    }
    switch mode.kind {
    case .parallel: preconditionFailure("A parallel action without a limit has no lane.")
    case .parallelOrdered, .parallelDeferred: self = .ordered(of: owner)
    case .sequence: self = .sequence(of: owner)
    case .limited: self = .limited(of: owner)
    case .switchLatest: self = .switchLatest(of: owner)
    case .dropWhileBusy: self = .dropWhileBusy(of: owner)
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

  /// Takes a run out of its lane. Removes a lane that has no more runs, and lets the next runs of any other start.
  @inlinable
  mutating func leaveLane(_ run: Run) {
    guard let lane = run.lane else { return }
    lane.remove(run)
    if !lane.isEmpty { return jobs.append(.advance(lane)) }
    lanes[lane.key] = nil
    if lanes.isEmpty, lanes.capacity > 64 { lanes = [:] }
  }
}
