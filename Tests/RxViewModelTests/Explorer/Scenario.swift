import RxViewModel

/// What an effect sends at one go.
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

/// What an effect does, in letters: `[mm]mc` sends two mappers while it is subscribed, and later, one at a time, a mapper
/// and the completion; `j` is a `just`. Without an end it never ends.
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

/// An execution mode that can be asked what it is.
struct Mode: Equatable, CustomStringConvertible {
  enum Kind: CaseIterable {
    case parallel, ordered, deferred, sequence, switchLatest, debounced, dropWhileBusy
  }

  let kind: Kind
  var lane: String?

  /// Whether it takes part in the one order of ordered and deferred actions.
  var isInOrder: Bool { kind == .ordered || kind == .deferred }
  /// Whether it cancels what is unfinished in its lane.
  var switches: Bool { kind == .switchLatest || kind == .debounced }

  /// Whether the actions of two modes have to do with each other: a named lane is one, whatever the modes; without a name, a
  /// default lane belongs to one mode.
  func sharesLane(with other: Mode) -> Bool {
    if kind == .parallel || other.kind == .parallel { return false }
    if isInOrder || other.isInOrder { return isInOrder && other.isInOrder }
    if lane != nil || other.lane != nil { return lane == other.lane }
    return kind == other.kind || switches && other.switches
  }

  var executionMode: ExecutionMode {
    switch (kind, lane) {
    case (.parallel, _): .parallel
    case (.ordered, _): .parallelOrdered
    case (.deferred, _): .parallelDeferred
    case (.sequence, nil): .sequence
    case (.sequence, let lane?): .sequence(.init(lane))
    case (.switchLatest, nil): .switchLatest
    case (.switchLatest, let lane?): .switchLatest(.init(lane))
    case (.debounced, nil): .switchLatest(after: .seconds(1))
    case (.debounced, let lane?): .switchLatest(.init(lane), after: .seconds(1))
    case (.dropWhileBusy, nil): .dropWhileBusy
    case (.dropWhileBusy, let lane?): .dropWhileBusy(.init(lane))
    }
  }

  var description: String { "\(kind)\(lane.map { "(\($0))" } ?? "")" }
}

/// One action.
struct Plan: CustomStringConvertible {
  var mode: Mode
  var script: EffectScript
  var spins = true
  /// Whether its error becomes state.
  var recovers = false

  init(_ kind: Mode.Kind, _ script: EffectScript, lane: String? = nil, spins: Bool = true) {
    mode = Mode(kind: kind, lane: lane)
    self.script = script
    self.spins = spins
  }

  /// The same action, whose error becomes state.
  var recovering: Plan {
    var plan = self
    plan.recovers = true
    return plan
  }

  var description: String { "\(mode) \(script)\(spins ? " spins" : "")\(recovers ? " recovers" : "")" }
}

/// What may be done from outside, in any order.
enum Move: Hashable {
  /// Executes the next action, or the next batch, or all that there are.
  case accept
  /// The effect of an action sends its next beat.
  case effect(Int)
  /// Cancels what the scenario's request of that number names.
  case cancel(Int)
  case clear
  /// The quiet time of every `switchLatest(_:after:)` that waits is over.
  case quiet
  /// The scheduler runs what has been scheduled.
  case turn
}

/// Actions, and what else happens to them.
struct Scenario: CustomStringConvertible {
  var plans: [Plan]
  /// Each a call of `cancelActions`, for these actions.
  var cancellations: [Set<Int>] = []
  var clears = false
  /// These are executed together, by `executeInSequence`.
  var batch: Range<Int>?
  /// All are executed in one move.
  var isAtOnce = false
  /// Whether the scheduler's turns are moves too; else one follows each move.
  var turns = false

  /// How many actions one move executes.
  func acceptedTogether(from first: Int) -> Int {
    isAtOnce ? plans.count : first == batch?.lowerBound ? batch!.count : 1
  }

  var description: String {
    "\(plans)\(cancellations.map { " cancel \($0.sorted())" }.joined())\(clears ? " clear" : "")"
      + "\(batch.map { " batch \($0)" } ?? "")\(isAtOnce ? " at once" : "")\(turns ? " turns" : "")"
  }
}
