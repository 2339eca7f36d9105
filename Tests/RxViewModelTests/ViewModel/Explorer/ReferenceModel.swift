/// Section 2 of the contract as a simple state machine without threads, callbacks or locks. It computes the events that a view model emits
/// for an order of moves. It makes no attempt to be fast: it answers each question from the list of all actions.
struct ReferenceModel {
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
  private var ends: [End] = []
  /// The effects that can send events.
  private var subscribed: Set<Int> = []
  /// The actions whose mode is known.
  private var asked: Set<Int> = []
  private let provocation: Provocation?
  private var isInTurn = false
  /// Whether the view model is subscribing to an effect, and delivers nothing.
  private var isSubscribing = false
  /// The actions that are going to end: none of their mappers is folded any more.
  private(set) var ending: Set<Int> = []
  private var jobs: [Job] = []
  /// The number of later events, and of mappers, that each effect has sent.
  private var (sent, mappers): ([Int: Int], [Int: Int]) = ([:], [:])
  /// The actions whose quiet time is over, and those of which the view model knows that.
  private(set) var (timed, ready): (Set<Int>, Set<Int>) = ([], [])
  private var held: [Int: [Sent]] = [:]
  /// The child that each action belongs to, once it has been taken.
  private(set) var instances: [Int: [Int]] = [:]
  private var lastStates: [Int: Tags] = [:]
  /// The actions that have started and not ended: those with a spinner in `spinning`, all of them in `working`.
  private var (spinning, working): (Set<Int>, Set<Int>) = ([], [])
  /// The action of the batch that failed or was cancelled. No later action of the batch runs.
  private var breach: Int?
  private var accepted = 0
  private var cancelled: Set<Int> = []
  private(set) var (isCleared, hasEnded) = (false, false)

  init(_ scenario: Scenario, _ provocation: Provocation? = nil) {
    self.scenario = scenario
    self.provocation = provocation
    status = scenario.plans.map { _ in .unknown }
    // A batch brings its mode.
    if let batch = scenario.batch { asked = Set(batch) }
  }

  // MARK: Moves

  /// The possible next moves.
  var moves: [Move] {
    var moves: [Move] = accepted < scenario.plans.count ? [.accept] : []
    if isCleared { return moves }
    moves += scenario.plans.indices.filter { nextBeat(of: $0) != nil }.map { .effect($0) }
    moves += scenario.cancellations.indices.filter { !cancelled.contains($0) }.map { .cancel($0) }
    if scenario.clears { moves.append(.clear) }
    if !waitingForQuiet.isEmpty { moves.append(.quiet) }
    if scenario.turns, !inputs.isEmpty || !ends.isEmpty { moves.append(.turn) }
    return moves
  }

  private var waitingForQuiet: [Int] {
    scenario.plans.indices.filter { status[$0] == .waiting && mode($0).isDebounced && !timed.contains($0) }
  }

  /// The event that the effect of a running action sends next. Nil if there is none.
  func nextBeat(of action: Int) -> EffectEvent? {
    let script = scenario.plans[action].script
    let number = sent[action, default: 0]
    guard status[action] == .running, subscribed.contains(action), number < script.later.count else { return nil }
    return script.later[number]
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
      guard !isCleared, let beat = nextBeat(of: action) else { return }
      sent[action, default: 0] += 1
      if !ending.contains(action) { send(beat, of: action) }
    case .cancel(let number):
      cancelled.insert(number)
      if isCleared { return }
      for action in scenario.cancellations[number].sorted() where action < accepted {
        markEnd(action, .cancelled(action))
      }
    case .clear:
      isCleared = true
      if !isInTurn { end() }
    case .quiet:
      for action in waitingForQuiet {
        timed.insert(action)
        inputs.append(.quiet(action))
      }
    case .turn: break
    }
  }

  private mutating func send(_ beat: EffectEvent, of action: Int) {
    let event = Sent(action: action, beat: beat, number: mappers[action, default: 0])
    if beat == .mapper { mappers[action, default: 0] += 1 }
    if beat.isTerminal { subscribed.remove(action) }
    if !isInTurn { return inputs.append(.beat(event)) }
    // The event does not overtake earlier events that its effect has sent from elsewhere. It takes them along.
    for case .beat(let other) in inputs where other.action == action { own.append(other) }
    inputs.removeAll { if case .beat(let other) = $0 { other.action == action } else { false } }
    own.append(event)
    if isSubscribing {
      isSubscribing = false
      while doEndOrEvent() {}
      isSubscribing = true
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

  /// Does the first of the four steps that waits, again and again (contract 2.3).
  private mutating func turn() {
    if hasEnded { return }
    isInTurn = true
    while !isCleared {
      if doEndOrEvent() { continue }
      if !jobs.isEmpty { doJob() } else if !inputs.isEmpty { handle(inputs.removeFirst()) } else { break }
    }
    isInTurn = false
    if isCleared { end() }
  }

  /// Ends an action, or handles an event that was sent inside the view model's own work. Returns false if neither waits.
  private mutating func doEndOrEvent() -> Bool {
    if isCleared || ends.isEmpty && own.isEmpty { return false }
    if ends.isEmpty { receive(own.removeFirst()) } else { carryOut(ends.removeFirst()) }
    return true
  }

  private mutating func handle(_ input: Input) {
    switch input {
    case .action(let action):
      // Cancelled while it was queued.
      let isOver = ending.contains(action)
      if !isOver, isBehindBreach(action) { return finish(action, .dropped(action)) }
      if !isOver { instances[action] = Family(state).instance(scenario.plans[action].level) }
      status[action] = .taken
      if asked.insert(action).inserted { reach(.executionMode, action) }
      if isOver { return isCleared ? () : carryOut((action, .cancelled(action))) }
      if instances[action] == nil { return finish(action, .dropped(action)) }
      reach(.showSpinner, action)
      admit(action)
    case .beat(let sent): receive(sent)
    case .quiet(let action):
      if status[action] != .waiting { return }
      ready.insert(action)
      jobs.append(Job(action: action, kind: .passesLane))
    }
  }

  /// `clear` (contract 2.9).
  private mutating func end() {
    if hasEnded { return }
    hasEnded = true
    inputs = []
    if !spinning.isEmpty { journal.append(.loading(false)) }
    if !working.isEmpty { busy.append(false) }
    journal += Array(repeating: .end, count: 6)
    status = status.map { $0 == .unknown ? .unknown : .over }
  }

  // MARK: The table of modes

  /// Ends the actions whose child the current state no longer has.
  private mutating func endOrphans() {
    let family = Family(state)
    for orphan in scenario.plans.indices where instances[orphan] != nil {
      if family.instance(scenario.plans[orphan].level) != instances[orphan] { markEnd(orphan, .cancelled(orphan)) }
    }
  }

  private mutating func admit(_ action: Int) {
    if !goesOn(action) { return }
    let rivals = rivals(of: action)
    let joins = mode(action).joins
    let same = rivals.filter { !joins || mode($0) == mode(action) }
    if joins || mode(action).kind == .dropWhileBusy, !same.isEmpty {
      if !ending.isSuperset(of: same) { return joins ? join(action) : finish(action, .dropped(action)) }
      while doEndOrEvent() {}
      return goesOn(action) ? admit(action) : ()
    }
    status[action] = .waiting
    for rival in rivals where mode(action).displaces(mode(rival), waiting: status[rival] == .waiting) {
      markEnd(rival, .cancelled(rival))
    }
    let switchesNow = mode(action).kind == .switchLatest && !rivals.isEmpty
    if joins || !switchesNow && mayStart(action) { return start(action) }
    if !switchesNow { jobs.append(Job(action: action, kind: .announcesWaiting)) }
  }

  private mutating func join(_ action: Int) {
    status[action] = .joined
    jobs.append(Job(action: action, kind: .announcesWaiting))
  }

  private mutating func endJoined(to action: Int, _ line: LogEntry) {
    let others = joined(with: action)
    switch line {
    case .completed(_, let tags): for other in others { markEnd(other, .completed(other, tags)) }
    case .failed: for other in others { markEnd(other, .failed(other)) }
    default:
      guard let first = others.first, others.allSatisfy({ status[$0] == .joined }) else { break }
      status[first] = .next
      jobs.append(Job(action: first, kind: .startsInstead))
    }
  }

  private func isBehindBreach(_ action: Int) -> Bool {
    guard let breach, let batch = scenario.batch else { return false }
    return batch.contains(action) && action > breach
  }

  // MARK: The life of an action (contract 2.7)

  private mutating func start(_ action: Int) {
    if !goesOn(action) { return }
    status[action] = .running
    if scenario.plans[action].spins, spinning.insert(action).inserted, spinning.count == 1 { emit(.loading(true)) }
    if !isCleared, working.insert(action).inserted, working.count == 1 { busy.append(true) }
    emit(.started(action))
    if !goesOn(action) { return }
    reach(.createObservable, action)
    let script = scenario.plans[action].script
    if script.isJust {
      // The mapper and the completion of a `just` come together.
      mappers[action, default: 0] += 1
      if !isHeld(action), own.isEmpty { return fold(action, number: 0, .completed(action, [])) }
      own += [.mapper, .completed].map { Sent(action: action, beat: $0, number: 0) }
      return
    }
    if !goesOn(action) { return }
    isSubscribing = true
    reach(.subscribe, action)
    for beat in script.atOnce where goesOn(action) { send(beat, of: action) }
    isSubscribing = false
    if goesOn(action), script.atOnce.last?.isTerminal != true { subscribed.insert(action) }
  }

  /// Whether nothing has ended the action, or the view model.
  private func goesOn(_ action: Int) -> Bool { !isCleared && status[action] != .over && !ending.contains(action) }

  /// Whether the mappers of the action wait for those of earlier actions.
  private func isHeld(_ action: Int) -> Bool {
    mode(action).kind == .ordered && (!rivals(of: action).isEmpty || held[action] != nil)
  }

  private mutating func receive(_ sent: Sent) {
    let action = sent.action
    if status[action] != .running { return }
    if isHeld(action) { return held[action, default: []].append(sent) }
    switch sent.beat {
    case .mapper:
      let isSingle = lastStates[action] == nil && own.first?.action == action && own.first?.beat == .completed
      if isSingle { own.removeFirst() }
      fold(action, number: sent.number, isSingle ? .completed(action, []) : nil)
    case .throwing, .error: fail(action)
    case .resigning, .cancellation: finish(action, .cancelled(action))
    case .completed:
      guard let last = lastStates[action] else { return fold(action, number: nil, .completed(action, [])) }
      finish(action, .completed(action, last))
    }
  }

  /// Applies a mapper, the last one of the action if it ends with `line`. Without a number the state stays as it is.
  private mutating func fold(_ action: Int, number: Int?, _ line: LogEntry?) {
    if !goesOn(action) { return }
    if number != nil { reach(.mapper, action) }
    if !goesOn(action) { return }
    if let number { state.append(ScriptedEffect.tag(number, of: action, scenario.plans[action].change)) }
    lastStates[action] = state
    // If the fold ends its action, the end looks for them.
    if line == nil { endOrphans() }
    emit(.state(state))
    emit(.made(action, lastStates[action]!))
    emit(.emitted(action, lastStates[action]!))
    guard let line else { return }
    if case .completed = line { finish(action, .completed(action, lastStates[action]!)) } else { finish(action, line) }
  }

  /// Ends an action that has failed, after the mapper for its error, if there is one.
  private mutating func fail(_ action: Int) {
    if !goesOn(action) { return }
    reach(.stateMapper, action)
    if scenario.plans[action].recovers {
      fold(action, number: ScriptedEffect.failure, .failed(action))
    } else {
      finish(action, .failed(action))
    }
  }

  /// Ends an action, unless something else has ended it.
  private mutating func finish(_ action: Int, _ line: LogEntry) { if goesOn(action) { carryOut((action, line)) } }

  /// Makes an action end as the next step or, if it is queued, when it is taken.
  private mutating func markEnd(_ action: Int, _ line: LogEntry) {
    if status[action] == .over || !ending.insert(action).inserted { return }
    if status[action] != .queued { ends.append((action, line)) }
  }

  private mutating func carryOut(_ end: End) {
    let (action, line) = end
    let (hasStarted, isInLane) = (status[action] == .running, isUnfinished(action) && mode(action).kind != .parallel)
    status[action] = .over
    if scenario.batch?.contains(action) == true, line == .failed(action) || line == .cancelled(action) {
      breach = min(breach ?? action, action)
    }
    if line == .failed(action), !isCleared, hasStarted {
      reach(.handleError, action)
      emit(.error(action))
      emit(.failedWith(action))
    }
    emit(line)
    if isInLane, mode(action).joins { endJoined(to: action, line) }
    endOrphans()
    let job = Job(action: action, kind: .follows(inLane: isInLane, stopsLoading: hasStarted))
    if isInLane || !jobs.isEmpty || !own.isEmpty { jobs.append(job) } else { stopLoading(action) }
  }

  /// Starts the next action that waited for the ended one. If there is none, an ordered action sends what it has held.
  private mutating func doJob() {
    let job = jobs[0]
    switch job.kind {
    case .startsInstead:
      jobs.removeFirst()
      return start(job.action)
    case .announcesWaiting:
      jobs.removeFirst()
      let isBehindOthers = mode(job.action).isDebounced || !rivals(of: job.action).isEmpty
      let isWaiting = status[job.action] == .waiting ? isBehindOthers : [.joined, .next].contains(status[job.action])
      return isWaiting && goesOn(job.action) ? emit(.waiting(job.action)) : ()
    case .follows, .passesLane: break
    }
    let lane = job.isInLane ? scenario.plans.indices.filter { isUnfinished($0) && areOfOneLane($0, job.action) } : []
    if let next = lane.first(where: { status[$0] == .waiting }), mayStart(next) {
      return isBehindBreach(next) ? finish(next, .dropped(next)) : start(next)
    }
    jobs.removeFirst()
    if let first = lane.first, status[first] == .running {
      own += held.removeValue(forKey: first) ?? []
    }
    if case .follows(_, stopsLoading: true) = job.kind { stopLoading(job.action) }
  }

  private mutating func stopLoading(_ action: Int) {
    if isCleared { return }
    if spinning.remove(action) != nil, spinning.isEmpty { emit(.loading(false)) }
    if working.remove(action) != nil, working.isEmpty { busy.append(false) }
  }
}
