/// Section 2 of the contract as one obvious state machine without threads, callbacks or locks: it says what a view model
/// emits for each order of moves. Nothing in it is fast; all questions are asked of the list of all actions.
struct ReferenceModel {
  enum Status {
    /// Not executed yet.
    case unknown
    /// Accepted, but its turn has not come.
    case queued
    /// Waits for others of its lane.
    case waiting
    case running
    case over
  }

  private enum Input {
    case action(Int)
    case beat(Int, Beat)
    case quiet(Int)
  }

  private enum Job {
    /// What waited for this action may go on.
    case advance(Int)
    /// It does not count as loading any more.
    case settle(Int)
  }

  let scenario: Scenario
  private(set) var journal: [Line] = []
  /// What `isLoadingObservable(where:)` emits, for all actions.
  private(set) var busy: [Bool] = [false]
  private(set) var state: Tags = []
  private(set) var status: [Status]
  private var inputs: [Input] = []
  private var cancellations: [(actions: Set<Int>, upTo: Int)] = []
  private var jobs: [Job] = []
  /// How many beats each effect has sent, of those that it sends later.
  private var sent: [Int]
  /// How many mappers each effect has sent.
  private var mappers: [Int]
  /// The actions whose quiet time is over, or was not needed any more.
  private var timed: Set<Int> = []
  private var held: [[(beat: Beat, tag: Int)]]
  private var lastStates: [Tags?]
  /// Started and unfinished: those with a spinner, and all.
  private var spinning: Set<Int> = []
  private var working: Set<Int> = []
  /// The action of the batch behind which nothing is run any more.
  private var breach: Int?
  private var accepted = 0
  private var cancelled: Set<Int> = []
  private(set) var isCleared = false
  private(set) var hasEnded = false

  init(_ scenario: Scenario) {
    self.scenario = scenario
    let count = scenario.plans.count
    status = Array(repeating: .unknown, count: count)
    sent = Array(repeating: 0, count: count)
    mappers = sent
    held = Array(repeating: [], count: count)
    lastStates = Array(repeating: nil, count: count)
  }

  // MARK: Moves

  /// What can be done next.
  var moves: [Move] {
    var moves: [Move] = accepted < scenario.plans.count ? [.accept] : []
    if isCleared { return moves + (scenario.turns && !hasEnded ? [.turn] : []) }
    moves += scenario.plans.indices.filter { nextBeat(of: $0) != nil }.map { .effect($0) }
    moves += scenario.cancellations.indices.filter { !cancelled.contains($0) }.map { .cancel($0) }
    if scenario.clears { moves.append(.clear) }
    if !waitingForQuiet.isEmpty { moves.append(.quiet) }
    if scenario.turns, !inputs.isEmpty || !cancellations.isEmpty { moves.append(.turn) }
    return moves
  }

  private var waitingForQuiet: [Int] {
    scenario.plans.indices.filter { status[$0] == .waiting && mode($0).kind == .debounced && !timed.contains($0) }
  }

  /// What the effect of an action that is at work sends next, unless it has ended.
  func nextBeat(of action: Int) -> Beat? {
    let script = scenario.plans[action].script
    guard status[action] == .running, sent[action] < script.later.count else { return nil }
    if script.atOnce.last?.isTerminal == true { return nil }
    return script.later[sent[action]]
  }

  mutating func perform(_ move: Move) {
    switch move {
    case .accept:
      for _ in 0..<scenario.acceptedTogether(from: accepted) {
        status[accepted] = isCleared ? .over : .queued
        if !isCleared { inputs.append(.action(accepted)) }
        accepted += 1
      }
    case .effect(let action):
      inputs.append(.beat(action, nextBeat(of: action)!))
      sent[action] += 1
    case .cancel(let number):
      cancelled.insert(number)
      cancellations.append((scenario.cancellations[number], accepted))
    case .clear:
      isCleared = true
    case .quiet:
      for action in waitingForQuiet {
        timed.insert(action)
        inputs.append(.quiet(action))
      }
    case .turn:
      turn()
    }
    if !scenario.turns, move != .turn { turn() }
  }

  // MARK: The scheduler's turn

  private mutating func turn() {
    while true {
      if isCleared { return end() }
      // Cancellations come before anything else starts or is folded.
      while !cancellations.isEmpty { cancel(cancellations.removeFirst()) }
      doJobs()
      if inputs.isEmpty { return }
      handle(inputs.removeFirst())
      doJobs()
    }
  }

  private mutating func cancel(_ request: (actions: Set<Int>, upTo: Int)) {
    for action in request.actions.sorted() where action < request.upTo && status[action] != .over {
      end(action, .cancelled(action))
    }
  }

  private mutating func handle(_ input: Input) {
    switch input {
    case .action(let action): if status[action] == .queued { admit(action) }
    case .beat(let action, let beat): receive(action, beat)
    case .quiet(let action): if status[action] == .waiting { start(action) }
    }
  }

  /// `clear` (contract 2.9).
  private mutating func end() {
    if hasEnded { return }
    hasEnded = true
    if !spinning.isEmpty { journal.append(.loading(false)) }
    if !working.isEmpty { busy.append(false) }
    journal += Array(repeating: .end, count: 6)
    status = status.map { $0 == .unknown ? .unknown : .over }
  }

  // MARK: The table of modes

  private func mode(_ action: Int) -> Mode { scenario.plans[action].mode }

  private func isUnfinished(_ action: Int) -> Bool { status[action] == .waiting || status[action] == .running }

  private func areOfOneLane(_ one: Int, _ other: Int) -> Bool {
    mode(one).sharesLane(with: mode(other))
  }

  /// Whether an earlier action is in the way: of the start of a deferred or sequential one, of the mappers of an ordered one.
  private func isBlocked(_ action: Int) -> Bool {
    (0..<action).contains { isUnfinished($0) && areOfOneLane($0, action) }
  }

  private mutating func admit(_ action: Int) {
    let kind = mode(action).kind
    if isBehindBreach(action) {
      end(action, .dropped(action))
    } else if kind == .sequence || kind == .deferred, isBlocked(action) {
      status[action] = .waiting
    } else if kind == .dropWhileBusy, isBlocked(action) {
      end(action, .dropped(action))
    } else {
      if mode(action).switches {
        status[action] = .waiting
        let rivals = (0..<action).filter { isUnfinished($0) && areOfOneLane($0, action) }
        for rival in rivals { end(rival, .cancelled(rival)) }
      }
      if kind != .debounced { start(action) }
    }
  }

  private func isBehindBreach(_ action: Int) -> Bool {
    guard let breach, let batch = scenario.batch else { return false }
    return batch.contains(action) && action > breach
  }

  // MARK: The life of an action (contract 2.7)

  private mutating func start(_ action: Int) {
    status[action] = .running
    if scenario.plans[action].spins, spinning.insert(action).inserted, spinning.count == 1 {
      journal.append(.loading(true))
    }
    if working.insert(action).inserted, working.count == 1 { busy.append(true) }
    journal.append(.started(action))
    for beat in scenario.plans[action].script.atOnce { receive(action, beat) }
  }

  private mutating func receive(_ action: Int, _ beat: Beat) {
    if status[action] != .running { return }
    let tag = action * 10 + mappers[action]
    if beat == .mapper { mappers[action] += 1 }
    if mode(action).kind == .ordered, isBlocked(action) {
      held[action].append((beat, tag))
    } else {
      take(action, beat, tag)
    }
  }

  private mutating func take(_ action: Int, _ beat: Beat, _ tag: Int) {
    if status[action] != .running { return }
    switch beat {
    case .mapper:
      fold(action, state + [tag])
    case .throwing, .error:
      journal += [.error(action), .failedWith(action)]
      end(action, .failed(action))
    case .resigning, .cancellation:
      end(action, .cancelled(action))
    case .completed:
      if lastStates[action] == nil { fold(action, state) }
      end(action, .completed(action, lastStates[action]!))
    }
  }

  private mutating func fold(_ action: Int, _ new: Tags) {
    state = new
    lastStates[action] = new
    journal += [.state(new), .made(action, new), .emitted(action, new)]
  }

  private mutating func end(_ action: Int, _ line: Line) {
    journal.append(line)
    let (hasStarted, isInTheWay) = (status[action] == .running, isUnfinished(action) && !isBlocked(action))
    status[action] = .over
    if scenario.batch?.contains(action) == true, line == .failed(action) || line == .cancelled(action) {
      breach = min(breach ?? action, action)
    }
    if isInTheWay { jobs.append(.advance(action)) }
    if hasStarted { jobs.append(.settle(action)) }
  }

  private mutating func doJobs() {
    while !jobs.isEmpty {
      switch jobs.removeFirst() {
      case .advance(let action): advance(action)
      case .settle(let action): settle(action)
      }
    }
  }

  /// Starts what waited for the action, or folds what an ordered one has sent meanwhile.
  private mutating func advance(_ ended: Int) {
    for action in scenario.plans.indices where areOfOneLane(action, ended) && !isBlocked(action) {
      if status[action] == .waiting, mode(action).kind != .debounced {
        guard isBehindBreach(action) else { return start(action) }
        end(action, .dropped(action))
      } else if status[action] == .running, !held[action].isEmpty {
        for (beat, tag) in held[action] { take(action, beat, tag) }
        held[action] = []
        return
      }
    }
  }

  private mutating func settle(_ action: Int) {
    if spinning.remove(action) != nil, spinning.isEmpty { journal.append(.loading(false)) }
    if working.remove(action) != nil, working.isEmpty { busy.append(false) }
  }
}
