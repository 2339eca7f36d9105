/// Section 2 of the contract as a simple state machine without threads, callbacks or locks. It computes the events that a view model emits
/// for an order of moves. It makes no attempt to be fast: it answers each question from the list of all actions.
struct ReferenceModel {
  enum Status {
    /// Not executed yet.
    case unknown
    /// Accepted, but its turn has not come.
    case queued
    /// Waits for other actions of its lane.
    case waiting
    case running
    case over
  }

  private enum Input {
    case action(Int)
    case beat(Sent)
    case quiet(Int)
  }

  /// An event that an effect has sent. `number` is that of the mapper, if the event is one.
  private struct Sent {
    let action: Int
    let beat: EffectEvent
    let number: Int
  }

  private enum Job {
    /// The actions that waited for this one may continue.
    case advance(Int)
    /// The action no longer counts as loading.
    case stopLoading(Int)
  }

  let scenario: Scenario
  private(set) var journal: [LogEntry] = []
  /// The values that `isLoadingObservable(where:)` emits for all actions.
  private(set) var busy: [Bool] = [false]
  private(set) var state: Tags = []
  private(set) var status: [Status]
  private var inputs: [Input] = []
  /// The events that were sent inside the view model's own work.
  private var own: [Sent] = []
  /// The ends that have yet to be carried out, with the lines that announce them.
  private var ends: [(action: Int, line: LogEntry)] = []
  /// The effects that can send events.
  private var subscribed: Set<Int> = []
  /// The actions whose mode is known.
  private var asked: Set<Int> = []
  private let provocation: Provocation?
  private var isInTurn = false
  /// Whether the view model is subscribing to an effect, and delivers nothing.
  private var isSubscribing = false
  /// Whether it handles what an effect has sent while being subscribed. Jobs wait until the subscription is complete.
  private var isInside = false
  /// Whether a fold, or an end of its action, waits for the cancellations that come first.
  private var isFolding = false
  private var cancellations: [(actions: Set<Int>, upTo: Int)] = []
  private var jobs: [Job] = []
  /// The number of later events that each effect has sent.
  private var sent: [Int]
  /// The number of mappers that each effect has sent.
  private var mappers: [Int]
  /// The actions whose quiet time is over.
  private var timed: Set<Int> = []
  private var held: [[Sent]]
  /// The child that each action belongs to, once it has been taken.
  private var instances: [[Int]?]
  private var lastStates: [Tags?]
  /// The actions that have started and not ended: those with a spinner in `spinning`, all of them in `working`.
  private var spinning: Set<Int> = []
  private var working: Set<Int> = []
  /// The action of the batch that failed or was cancelled. No later action of the batch runs.
  private var breach: Int?
  private var accepted = 0
  private var cancelled: Set<Int> = []
  private(set) var isCleared = false
  private(set) var hasEnded = false

  init(_ scenario: Scenario, _ provocation: Provocation? = nil) {
    self.scenario = scenario
    self.provocation = provocation
    let count = scenario.plans.count
    status = Array(repeating: .unknown, count: count)
    sent = Array(repeating: 0, count: count)
    mappers = sent
    held = Array(repeating: [], count: count)
    instances = Array(repeating: nil, count: count)
    lastStates = Array(repeating: nil, count: count)
    // A batch brings its mode.
    if let batch = scenario.batch { asked = Set(batch) }
  }

  // MARK: Moves

  /// The possible next moves.
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

  /// The event that the effect of a running action sends next. Nil if there is none.
  func nextBeat(of action: Int) -> EffectEvent? {
    let script = scenario.plans[action].script
    guard status[action] == .running, subscribed.contains(action), sent[action] < script.later.count else { return nil }
    return script.later[sent[action]]
  }

  mutating func perform(_ move: Move) {
    act(move)
    if move == .turn || !scenario.turns { turn() }
  }

  /// Makes a move, from outside or from inside user code.
  private mutating func act(_ move: Move) {
    switch move {
    case .accept:
      for _ in 0..<(accepted < scenario.plans.count ? scenario.acceptedTogether(from: accepted) : 0) {
        status[accepted] = isCleared ? .over : .queued
        if !isCleared { inputs.append(.action(accepted)) }
        accepted += 1
      }
    case .effect(let action):
      if isCleared { return }
      guard let beat = nextBeat(of: action) else { return }
      sent[action] += 1
      send(beat, of: action)
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
    case .turn: break
    }
  }

  private mutating func send(_ beat: EffectEvent, of action: Int) {
    let event = Sent(action: action, beat: beat, number: mappers[action])
    if beat == .mapper { mappers[action] += 1 }
    if beat.isTerminal { subscribed.remove(action) }
    if !isInTurn { return inputs.append(.beat(event)) }
    // The event does not overtake earlier events that its effect has sent from elsewhere. It takes them along.
    for case .beat(let other) in inputs where other.action == action { own.append(other) }
    inputs.removeAll { if case .beat(let other) = $0 { other.action == action } else { false } }
    own.append(event)
    if isSubscribing {
      (isSubscribing, isInside) = (false, true)
      doWhatHasBeenAskedFor()
      (isSubscribing, isInside) = (true, false)
    }
  }

  /// Calls user code, which may make moves.
  private mutating func reach(_ point: CallbackPoint, _ action: Int) {
    for move in provocation?.met(at: point, action) ?? [] { act(move) }
  }

  private mutating func emit(_ line: LogEntry) {
    if isCleared { return }
    journal.append(line)
    if let (point, action) = line.point { reach(point, action) }
  }

  // MARK: The scheduler's turn

  private mutating func turn() {
    isInTurn = true
    while true {
      doWhatHasBeenAskedFor()
      if isCleared {
        end()
        break
      }
      if !jobs.isEmpty {
        switch jobs.removeFirst() {
        case .advance(let action): advance(action)
        case .stopLoading(let action): stopLoading(action)
        }
      } else if inputs.isEmpty {
        break
      } else {
        handle(inputs.removeFirst())
      }
    }
    isInTurn = false
  }

  /// Handles cancellations, then the events that were sent inside the view model's own work (contract 2.3).
  private mutating func doWhatHasBeenAskedFor() {
    while true {
      doCancellations()
      if isCleared || own.isEmpty { return }
      receive(own.removeFirst())
    }
  }

  private mutating func doCancellations() {
    while !isCleared {
      if !ends.isEmpty {
        carryOut(ends.removeFirst())
      } else if !cancellations.isEmpty {
        let (actions, last) = cancellations.removeFirst()
        for action in actions.sorted() where action < last { end(action, .cancelled(action)) }
      } else {
        return
      }
    }
  }

  private mutating func doCancellationsBeforeFolding() {
    isFolding = true
    doCancellations()
    isFolding = false
  }

  private mutating func handle(_ input: Input) {
    switch input {
    case .action(let action):
      if status[action] != .queued { return }
      if isBehindBreach(action) { return end(action, .dropped(action)) }
      instances[action] = Family(state).instance(scenario.plans[action].level)
      if asked.insert(action).inserted { reach(.executionMode, action) }
      if instances[action] == nil { return end(action, .dropped(action)) }
      doWhatHasBeenAskedFor()
      if status[action] != .queued || isCleared { return }
      reach(.showSpinner, action)
      doWhatHasBeenAskedFor()
      if status[action] == .queued, !isCleared { admit(action) }
    case .beat(let sent): receive(sent)
    case .quiet(let action):
      jobs.append(.advance(action))
      start(action)
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
    ownerOfLanes(one) == ownerOfLanes(other) && mode(one).sharesLane(with: mode(other))
  }

  /// The child whose lanes the action uses. Those of a batch are the view model's own.
  private func ownerOfLanes(_ action: Int) -> [Int]? {
    scenario.batch?.contains(action) == true ? [] : instances[action]
  }

  /// The actions whose child the current state no longer has.
  private var orphans: [Int] {
    let family = Family(state)
    return scenario.plans.indices.filter { action in
      guard let instance = instances[action], status[action] != .over else { return false }
      return family.instance(scenario.plans[action].level) != instance
    }
  }

  private mutating func endOrphans(but action: Int? = nil) {
    for orphan in orphans where orphan != action { end(orphan, .cancelled(orphan)) }
  }

  /// Ends an action with the fold that it has just made. Requests made meanwhile come first, but for the ends of other actions,
  /// whose child has gone in that fold.
  private mutating func conclude(_ action: Int, _ line: LogEntry) {
    let isFirst = cancellations.isEmpty
    if !isFirst { endOrphans(but: action) }
    doCancellationsBeforeFolding()
    if isAtWork(action) { end(action, line) }
    if isFirst { endOrphans(but: action) }
  }

  /// The unfinished actions before this one in its lane.
  private func rivals(of action: Int) -> [Int] {
    (0..<action).filter { isUnfinished($0) && areOfOneLane($0, action) }
  }

  /// Whether an earlier action holds up the mappers of an ordered one.
  private func isBlocked(_ action: Int) -> Bool { !rivals(of: action).isEmpty }

  /// Whether a waiting action may start, unless it waits for a quiet time.
  private func mayStart(_ action: Int) -> Bool {
    guard let limit = mode(action).limit else { return true }
    let rivals = rivals(of: action)
    return rivals.count < limit && !rivals.contains { status[$0] == .waiting }
  }

  private mutating func admit(_ action: Int) {
    let kind = mode(action).kind
    if isBehindBreach(action) || kind == .dropWhileBusy && isBlocked(action) { return end(action, .dropped(action)) }
    status[action] = .waiting
    if mode(action).switches { for rival in rivals(of: action) { end(rival, .cancelled(rival)) } }
    if kind != .debounced, mayStart(action) { start(action) }
  }

  private func isBehindBreach(_ action: Int) -> Bool {
    guard let breach, let batch = scenario.batch else { return false }
    return batch.contains(action) && action > breach
  }

  // MARK: The life of an action (contract 2.7)

  private mutating func start(_ action: Int) {
    doWhatHasBeenAskedFor()
    if isCleared || status[action] != .waiting { return }
    status[action] = .running
    if scenario.plans[action].spins, spinning.insert(action).inserted, spinning.count == 1 { emit(.loading(true)) }
    if !isCleared, working.insert(action).inserted, working.count == 1 { busy.append(true) }
    emit(.started(action))
    doWhatHasBeenAskedFor()
    if !isAtWork(action) { return }
    reach(.createObservable, action)
    doWhatHasBeenAskedFor()
    if !isAtWork(action) { return }
    subscribe(action)
  }

  private func isAtWork(_ action: Int) -> Bool { status[action] == .running && !isCleared }

  private mutating func subscribe(_ action: Int) {
    let script = scenario.plans[action].script
    if script.isJust, !isHeld(action) {
      // The mapper and the completion of a `just` come together.
      mappers[action] += 1
      fold(action, number: 0)
      if isAtWork(action) { conclude(action, .completed(action, lastStates[action] ?? [])) }
      return
    }
    isSubscribing = true
    if !script.isJust { reach(.subscribe, action) }
    for beat in script.atOnce where isAtWork(action) { send(beat, of: action) }
    isSubscribing = false
    if isAtWork(action), script.atOnce.last?.isTerminal != true { subscribed.insert(action) }
  }

  /// Whether the mappers of the action wait for those of earlier actions.
  private func isHeld(_ action: Int) -> Bool {
    mode(action).kind == .ordered && (isBlocked(action) || !held[action].isEmpty)
  }

  private mutating func receive(_ sent: Sent) {
    if status[sent.action] != .running { return }
    if isHeld(sent.action) { held[sent.action].append(sent) } else { take(sent) }
  }

  private mutating func take(_ sent: Sent) {
    let action = sent.action
    switch sent.beat {
    case .mapper:
      fold(action, number: sent.number)
      endOrphans()
    case .throwing, .error:
      finish(action, .failed(action))
    case .resigning, .cancellation:
      finish(action, .cancelled(action))
    case .completed:
      if lastStates[action] == nil { fold(action, number: nil) }
      if isAtWork(action) { finish(action, .completed(action, lastStates[action] ?? [])) }
    }
  }

  /// Applies a mapper, unless the mapper itself requests the cancellation of its action. Without a number the state stays as it is.
  private mutating func fold(_ action: Int, number: Int?) {
    if number != nil { reach(.mapper, action) }
    doCancellationsBeforeFolding()
    if !isAtWork(action) { return }
    if let number { state.append(ScriptedEffect.tag(number, of: action, scenario.plans[action].change)) }
    lastStates[action] = state
    emit(.state(state))
    emit(.made(action, state))
    emit(.emitted(action, state))
  }

  /// Ends the action of an effect that has ended. A waiting cancellation comes first. The mapper for an error is the action's last one.
  private mutating func finish(_ action: Int, _ line: LogEntry) {
    doCancellationsBeforeFolding()
    if line == .failed(action), isAtWork(action) {
      reach(.stateMapper, action)
      doCancellationsBeforeFolding()
      if isAtWork(action), scenario.plans[action].recovers {
        fold(action, number: ScriptedEffect.failure)
        if isAtWork(action) { return conclude(action, line) }
      }
      doCancellationsBeforeFolding()
    }
    if isAtWork(action) { end(action, line) }
  }

  /// Queues the end of an action, unless it has ended or its end is queued already.
  private mutating func end(_ action: Int, _ line: LogEntry) {
    if status[action] == .over || ends.contains(where: { $0.action == action }) { return }
    ends.append((action, line))
  }

  private mutating func carryOut(_ end: (action: Int, line: LogEntry)) {
    let (action, line) = end
    if asked.insert(action).inserted { reach(.executionMode, action) }
    let (hasStarted, isInLane) = (status[action] == .running, isUnfinished(action))
    status[action] = .over
    if scenario.batch?.contains(action) == true, line == .failed(action) || line == .cancelled(action) {
      breach = min(breach ?? action, action)
    }
    if line == .failed(action), !isCleared {
      reach(.handleError, action)
      emit(.error(action))
      emit(.failedWith(action))
    }
    emit(line)
    if isInLane, scenario.plans.indices.contains(where: { isUnfinished($0) && areOfOneLane($0, action) }) {
      jobs.append(.advance(action))
    }
    if !hasStarted { return }
    let waits = isCleared || isFolding || !ends.isEmpty || !cancellations.isEmpty || !own.isEmpty || !jobs.isEmpty
    if isInside, !waits { stopLoading(action) } else { jobs.append(.stopLoading(action)) }
  }

  private func waitsForItsTurn(_ action: Int) -> Bool {
    status[action] == .waiting && mode(action).kind != .debounced && mayStart(action)
  }

  /// Starts the actions that waited for the ended one, or folds the mappers that an ordered action has sent meanwhile.
  private mutating func advance(_ ended: Int) {
    for action in scenario.plans.indices where areOfOneLane(action, ended) {
      if waitsForItsTurn(action) {
        if !isBehindBreach(action) {
          let others = scenario.plans.indices.filter { $0 > action && areOfOneLane($0, action) }
          status[action] = .running
          if others.contains(where: waitsForItsTurn) { jobs.insert(.advance(ended), at: 0) }
          status[action] = .waiting
          return start(action)
        }
        end(action, .dropped(action))
        doWhatHasBeenAskedFor()
      } else if status[action] == .running, !isBlocked(action), !held[action].isEmpty {
        while true {
          doWhatHasBeenAskedFor()
          if !isAtWork(action) || held[action].isEmpty { return }
          let first = held[action].removeFirst()
          if first.beat == .mapper, lastStates[action] == nil, held[action].first?.beat == .completed {
            // The whole effect is a single mapper.
            held[action].removeFirst()
            fold(action, number: first.number)
            if isAtWork(action) { conclude(action, .completed(action, lastStates[action] ?? [])) }
          } else {
            take(first)
          }
        }
      }
    }
  }

  private mutating func stopLoading(_ action: Int) {
    if spinning.remove(action) != nil, spinning.isEmpty { emit(.loading(false)) }
    if !isCleared, working.remove(action) != nil, working.isEmpty { busy.append(false) }
  }
}
