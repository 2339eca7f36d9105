import RxViewModel

/// An event that an effect sends.
enum EffectEvent: Character, CaseIterable {
  case mapper = "m"
  /// A mapper that throws.
  case throwing = "t"
  /// A mapper that throws `CancellationError`.
  case resigning = "r"
  case completed = "c"
  case error = "e"
  /// An error event with a `CancellationError`.
  case cancellation = "x"

  var isTerminal: Bool { self == .completed || self == .error || self == .cancellation }
}

/// The events of an effect, as letters. `[mm]mc` sends two mappers while the view model subscribes to it, and later, one at a time, a
/// mapper and the completion. `j` is a `just`. An effect without a terminal event never ends.
struct EffectScript: ExpressibleByStringLiteral, CustomStringConvertible {
  let text: String
  let isJust: Bool
  let atOnce: [EffectEvent]
  let later: [EffectEvent]

  var canFail: Bool { (atOnce + later).contains { $0 == .error || $0 == .throwing } }

  init(stringLiteral text: String) {
    self.text = text
    isJust = text == "j"
    let parts = text.split(separator: "]", omittingEmptySubsequences: false)
    atOnce =
      isJust ? [.mapper, .completed] : parts.count == 2 ? parts[0].dropFirst().map { EffectEvent(rawValue: $0)! } : []
    later = isJust ? [] : parts.last!.map { EffectEvent(rawValue: $0)! }
  }

  var description: String { text }
}

/// An execution mode whose kind and lane can be read.
struct Mode: Equatable, CustomStringConvertible {
  enum Kind: CaseIterable {
    case parallel, ordered, deferred, sequence, limited, switchLatest, debounced, dropWhileBusy, keepLatest,
      keptDebounced, join, joinWithKey

    /// Those whose lane can have a name.
    static let withLane: [Self] = allCases.filter { ![.parallel, .ordered, .deferred].contains($0) }
  }

  let kind: Kind
  var lane: String?

  /// Whether its actions belong to the common order of ordered and deferred actions.
  var isInOrder: Bool { kind == .ordered || kind == .deferred }
  /// Whether it cancels the unfinished actions of its lane.
  var switches: Bool { kind == .switchLatest || kind == .debounced }

  /// Whether it cancels the waiting actions of its lane with such a mode.
  var keepsLatest: Bool { kind == .keepLatest || kind == .keptDebounced }
  /// Whether it cancels an unfinished action of its lane.
  func displaces(_ other: Mode, waiting: Bool) -> Bool { switches || keepsLatest && other.keepsLatest && waiting }

  /// Whether it waits for a quiet time.
  var isDebounced: Bool { kind == .debounced || kind == .keptDebounced }

  /// Whether it ends with an unfinished action of its lane that has the same mode.
  var joins: Bool { kind == .join || kind == .joinWithKey }
  /// Whether its actions may wait in their lane.
  var waits: Bool { limit != nil || isDebounced || joins }

  /// The action waits while as many actions before it are unfinished. Nil for a mode that does not wait for others.
  var limit: Int? {
    switch kind {
    case .sequence, .deferred, .keepLatest, .keptDebounced: 1
    case .limited: 2
    case .parallel, .ordered, .switchLatest, .debounced, .dropWhileBusy, .join, .joinWithKey: nil
    }
  }

  /// Whether actions of the two modes share a lane. A named lane is one lane, whatever the modes. A default lane belongs to one mode.
  func sharesLane(with other: Mode) -> Bool {
    if kind == .parallel || other.kind == .parallel { return false }
    if isInOrder || other.isInOrder { return isInOrder && other.isInOrder }
    if lane != nil || other.lane != nil { return lane == other.lane }
    return kind == other.kind || switches && other.switches || keepsLatest && other.keepsLatest
      || joins && other.joins
  }

  var executionMode: ExecutionMode {
    switch (kind, lane) {
    case (.parallel, _): .parallel
    case (.ordered, _): .parallelOrdered
    case (.deferred, _): .parallelDeferred
    case (.sequence, nil): .sequence
    case (.sequence, let lane?): .sequence("\(lane)")
    case (.limited, nil): .parallel(limit: limit!)
    case (.limited, let lane?): .parallel("\(lane)", limit: limit!)
    case (.switchLatest, nil): .switchLatest
    case (.switchLatest, let lane?): .switchLatest("\(lane)")
    case (.debounced, nil): .switchLatest(after: .seconds(1))
    case (.debounced, let lane?): .switchLatest("\(lane)", after: .seconds(1))
    case (.dropWhileBusy, nil): .dropWhileBusy
    case (.dropWhileBusy, let lane?): .dropWhileBusy("\(lane)")
    case (.keepLatest, nil): .keepLatest
    case (.keepLatest, let lane?): .keepLatest("\(lane)")
    case (.join, nil): .join
    case (.join, let lane?): .join("\(lane)")
    case (.joinWithKey, nil): .join(key: "key")
    case (.joinWithKey, let lane?): .join("\(lane)", key: "key")
    case (.keptDebounced, nil): .keepLatest(after: .seconds(1))
    case (.keptDebounced, let lane?): .keepLatest("\(lane)", after: .seconds(1))
    }
  }

  var description: String { "\(kind)\(lane.map { "(\($0))" } ?? "")" }
}

extension ExecutionMode {
  /// The modes that need no value.
  static let all: [ExecutionMode] = [
    .parallel, .parallelOrdered, .parallelDeferred, .sequence, .switchLatest, .dropWhileBusy, .keepLatest,
    .join,
  ]
}

/// One action.
struct Plan: CustomStringConvertible {
  var mode: Mode
  var script: EffectScript
  var spins = true
  /// Whether `stateMapper(for:action:)` returns a mapper for the action's error.
  var recovers = false
  /// 0 for an action of the view model, 1 for one of its child, 2 for one of the child's child.
  var level = 0
  /// The effect of each mapper of the action on the children.
  var change = ChildChange.none

  init(_ kind: Mode.Kind, _ script: EffectScript, lane: String? = nil, spins: Bool = true) {
    mode = Mode(kind: kind, lane: lane)
    self.script = script
    self.spins = spins
  }

  /// The same action, for a child or with an effect on the children.
  func at(level: Int = 0, _ change: ChildChange = .none) -> Plan {
    var plan = self
    (plan.level, plan.change) = (level, change)
    return plan
  }

  /// The same action, with a mapper for its error.
  var recovering: Plan {
    var plan = self
    plan.recovers = true
    return plan
  }

  var description: String {
    let children = (level > 0 ? " level \(level)" : "") + (change == .none ? "" : " \(change)")
    return "\(mode) \(script)\(spins ? " spins" : "")\(recovers ? " recovers" : "")" + children
  }
}

/// A call or an event from outside. Moves may come in any order.
enum Move: Hashable {
  /// Executes the next action, the next batch, or all actions.
  case accept
  /// The effect of an action sends its next event.
  case effect(Int)
  /// Cancels the actions of the scenario's request with that number.
  case cancel(Int)
  case clear
  /// The quiet time of every waiting `switchLatest(_:after:)` and `keepLatest(_:after:)` ends.
  case quiet
  /// The scheduler runs its work.
  case turn
}

/// Actions, and the calls that may affect them.
struct Scenario: CustomStringConvertible {
  var plans: [Plan]
  /// The calls of `cancelActions`, each with the actions that it cancels.
  var cancellations: [Set<Int>] = []
  var clears = false
  /// The actions that `executeInSequence` executes together.
  var batch: Range<Int>?
  /// Whether one move executes all actions.
  var isAtOnce = false
  /// Whether the scheduler's turns are moves of their own. Otherwise a turn follows each move.
  var turns = false

  /// Whether there are children. ``Invariants`` does not know them.
  var hasChildren: Bool { plans.contains { $0.level > 0 || $0.change != .none } }

  /// The number of actions that one move executes.
  func acceptedTogether(from first: Int) -> Int {
    isAtOnce ? plans.count : first == batch?.lowerBound ? batch!.count : 1
  }

  var description: String {
    "\(plans)\(cancellations.map { " cancel \($0.sorted())" }.joined())\(clears ? " clear" : "")"
      + "\(batch.map { " batch \($0)" } ?? "")\(isAtOnce ? " at once" : "")\(turns ? " turns" : "")"
  }
}
