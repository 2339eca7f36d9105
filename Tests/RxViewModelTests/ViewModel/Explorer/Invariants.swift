/// Checks the properties that every journal has, whatever the order. It does not use the reference model, so it finds faults that the
/// engine and the model share.
struct Invariants {
  private let plans: [Plan]
  private let batch: Range<Int>
  /// Whether there are moves from inside callbacks. One of them may be `clear`, which may separate lines that belong together.
  private let isProvoked: Bool
  private var state: Tags = []
  private var isLoading = false
  private var hasEnded = false
  /// The lines that must directly follow the last one (contract 2.3).
  private var awaited: [LogEntry] = []
  /// The actions that have started and not ended.
  private var running: Set<Int> = []
  private var (waiting, started): (Set<Int>, Set<Int>) = ([], [])
  private var ended: Set<Int> = []
  /// The actions that have failed or been cancelled.
  private var broken: Set<Int> = []
  private(set) var faults: [String] = []

  init(_ scenario: Scenario, _ journal: [LogEntry], isProvoked: Bool = false) {
    self.isProvoked = isProvoked
    plans = scenario.plans
    batch = scenario.batch ?? 0..<0
    for (index, line) in journal.enumerated() {
      if hasEnded, line != .end { faults.append("\(line) after the end") }
      let next = journal[(index + 1)...].first
      lookForAwaited(line, followedBy: next)
      look(at: line, followedBy: next)
    }
    lookAtTheOrderOfMappers()
    if !hasEnded { lookAtTheRest() }
  }

  private mutating func expect(_ isAsExpected: Bool, _ text: @autoclosure () -> String) {
    if !isAsExpected { faults.append(text()) }
  }

  // MARK: Line by line (contract 2.6, 2.7)

  /// Checks that lines which belong together follow each other. Only a `clear` from inside a callback cuts off the rest of them.
  private mutating func lookForAwaited(_ line: LogEntry, followedBy next: LogEntry?) {
    guard let first = awaited.first else {
      switch line {
      case .made, .emitted, .failedWith: return expect(false, "\(line) alone")
      default: return
      }
    }
    if line == first {
      awaited.removeFirst()
    } else {
      let isCutOff = line == .end || line == .loading(false) && next == .end
      expect(isProvoked && isCutOff, "\(line) where \(first) belongs")
      awaited = []
    }
  }

  private mutating func look(at line: LogEntry, followedBy next: LogEntry?) {
    switch line {
    case .loading(let value):
      expect(value != isLoading, "loading \(value) twice")
      isLoading = value
      if value {
        if case .started(let action)? = next, plans[action].spins { return }
        expect(isProvoked && next == .loading(false), "loading alone")
      } else {
        expect(next == .end || !isSpinning, "loading false too early")
      }
    case .waiting(let action):
      let isKnown = started.contains(action) || ended.contains(action)
      expect(plans[action].mode.waits && !isKnown && waiting.insert(action).inserted, "\(action) waits")
    case .started(let action):
      start(action)
    case .state(let tags):
      lookAtState(tags, followedBy: next)
    case .made(let action, let tags), .emitted(let action, let tags):
      expect(running.contains(action) && tags == state, "\(line), but the action did not make that state")
    case .failedWith(let action):
      expect(running.contains(action), "\(line), but the action is not running")
    case .error(let action):
      expect(running.contains(action), "\(line), but the action is not running")
      awaited = [.failedWith(action), .failed(action)]
    case .completed(let action, let tags):
      expect(
        isJoined(action)
          || running.contains(action) && tags.filter { $0 / 10 == action } == state.filter { $0 / 10 == action },
        "\(line)")
      end(action)
    case .failed(let action):
      expect(running.contains(action) || isJoined(action), "\(line), but the action is not running")
      end(action, breaks: true)
    case .cancelled(let action):
      end(action, breaks: true)
    case .dropped(let action):
      let isBusy = rivals(of: action).contains { !ended.contains($0) }
      let isRefused = plans[action].mode.kind == .dropWhileBusy && isBusy
      let isBehindBreach = batch.contains(action) && broken.contains { batch.contains($0) && $0 < action }
      expect(!started.contains(action) && (isRefused || isBehindBreach), "\(line) without a reason")
      end(action)
    case .end:
      hasEnded = true
    }
  }

  private func isJoined(_ action: Int) -> Bool {
    plans[action].mode.joins && !started.contains(action)
  }

  private var isSpinning: Bool { running.contains { plans[$0].spins } }

  private mutating func lookAtState(_ tags: Tags, followedBy next: LogEntry?) {
    let last = state
    expect(tags == last || tags.dropLast() == last[...], "\(tags) after \(last)")
    state = tags
    // A `clear` from inside the callback cuts off the rest.
    guard case .made(let action, tags)? = next else {
      return expect(isProvoked && (next == .loading(false) || next == .end), "no action made \(tags)")
    }
    expect(tags == last || tags.last! / 10 == action, "\(tags) made by \(action)")
    awaited = [.made(action, tags), .emitted(action, tags)]
  }

  // MARK: Starts and ends (the table of modes)

  /// The earlier actions that share a lane with this one.
  private func rivals(of action: Int) -> [Int] {
    let mode = plans[action].mode
    return (0..<action).filter { plans[$0].mode.sharesLane(with: mode) }
  }

  private mutating func start(_ action: Int) {
    expect(started.insert(action).inserted && !ended.contains(action), "\(action) started again")
    expect(!plans[action].spins || isLoading, "\(action) started, but loading is false")
    switch plans[action].mode.kind {
    case .parallel, .ordered: break
    case .deferred, .sequence, .limited, .keepLatest, .keptDebounced:
      let unfinished = rivals(of: action).filter { !ended.contains($0) }
      expect(unfinished.count < plans[action].mode.limit!, "\(action) started too early")
      expect(started.isSuperset(of: unfinished), "\(action) started before another that waited")
    case .join, .joinWithKey:
      let same = rivals(of: action).filter { plans[$0].mode == plans[action].mode }
      expect(running.isDisjoint(with: same), "\(action) started and did not join")
    case .switchLatest, .debounced, .dropWhileBusy:
      expect(running.isDisjoint(with: rivals(of: action)), "\(action) started while its lane was busy")
    }
    let later = started.filter { $0 > action && !plans[$0].mode.waits }
    expect(plans[action].mode.waits || later.isEmpty, "\(action) started after \(later)")
    running.insert(action)
  }

  private mutating func end(_ action: Int, breaks: Bool = false) {
    expect(ended.insert(action).inserted, "\(action) ended again")
    expect(!running.contains(action) || !plans[action].spins || isLoading, "\(action) ended, but loading is false")
    running.remove(action)
    if breaks { broken.insert(action) }
  }

  // MARK: At the end

  /// Checks that each mapper was folded once, in the order in which its effect sent them. Those of an ordered, deferred, sequential
  /// or superseding action must come after those of the earlier actions in its lane.
  private mutating func lookAtTheOrderOfMappers() {
    let all = state
    expect(Set(all).count == all.count, "a mapper was folded twice: \(all)")
    for action in plans.indices where ![.parallel, .limited, .join, .joinWithKey].contains(plans[action].mode.kind) {
      let rivals = rivals(of: action)
      let rest = all.drop { $0 / 10 != action }
      expect(!rest.contains { rivals.contains($0 / 10) }, "mappers of \(rivals) after the first of \(action): \(all)")
    }
    for action in plans.indices {
      var tags = all.filter { $0 / 10 == action }
      if tags.last == ScriptedEffect.tag(ScriptedEffect.failure, of: action) { tags.removeLast() }
      expect(tags == Array(tags.indices.map { action * 10 + $0 }), "mappers of \(action) out of order: \(tags)")
    }
  }

  /// Checks that no action waits without a reason, and that the value of loading is correct.
  private mutating func lookAtTheRest() {
    expect(isLoading == isSpinning, "loading is wrong at the end")
    expect(awaited.isEmpty, "lines are missing at the end")
    for action in plans.indices where !started.contains(action) && !ended.contains(action) {
      let unfinished = rivals(of: action).filter { !ended.contains($0) }
      let waits =
        plans[action].mode.limit.map { unfinished.count >= $0 || !started.isSuperset(of: unfinished) } ?? false
      let isJoined =
        isJoined(action) && unfinished.contains { started.contains($0) && plans[$0].mode == plans[action].mode }
      expect(plans[action].mode.isDebounced || waits || isJoined, "\(action) waits without a reason")
    }
  }
}
