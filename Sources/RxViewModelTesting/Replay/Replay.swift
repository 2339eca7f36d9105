import RxViewModel
public import RxViewModelRecording

/// The report of ``replay(_:tolerant:shrinking:picture:file:line:_:)``.
public struct ReplayReport: Sendable {
  /// The number of entries.
  public let entries: Int
  /// Where the test departed from the recording: the entries between which the states begin to differ, with the lines that differ; a
  /// question without an answer, or an answer without a question; an action or a view model that only one side knows.
  public let departures: [String]
}

/// One run of a recording: your test makes the view models, and plays the recording to them.
///
/// Your services may use it on any thread. Call ``play(_:)`` on the thread that calls the body.
public final class Replay: Sendable {
  /// What only the thread that plays knows.
  struct Progress {
    fileprivate(set) var hasPlayed = false
    /// What entries have needed, and no timer has brought. A later entry that needs the same gives up after one timer, because an interval
    /// never ends.
    fileprivate var givenUp: Set<String> = []
    /// The newest entry at which the states were those of the recording. Nil once they have departed.
    fileprivate var lastEqual: Int? = 0
    /// The entries so far with the states that the view models have had. Nil unless the run is drawn.
    fileprivate(set) var picture: Picture?
    /// The recordings that begin at the ``beginnings``, with the states of the test.
    fileprivate(set) var later: [[Entry]] = []
  }

  /// The scheduler of this run. Make your view models on it.
  public let scheduler = TestScheduler()
  /// Use it instead of the app's recorder: it gives the recorded answers.
  public let recorder: Recorder
  private let session: ReplaySession
  private let place: TestFailure.Place
  /// The entries at which further recordings begin.
  private let beginnings: [Int]
  private let state: Lock<Progress>
  /// The number of timers after which an entry is given up.
  private static let mostTimers = 1_000

  init(_ entries: [Entry], _ place: TestFailure.Place, _ picture: Picture?, beginnings: [Int]) {
    (session, state) = (ReplaySession(entries, on: scheduler), Lock(Progress(picture: picture)))
    (self.place, self.beginnings, recorder) = (place, beginnings, Recorder(playing: session))
    // The timers of sources count from there.
    pass(to: entries[session.headCount...].first { $0.kind != .begin })
  }

  var progress: Progress { state.withLock { $0 } }
  var tally: ReplaySession.Tally { session.state.withLock { $0.tally } }
  /// The entry that is being played, or the last one that has been played. Nil before that.
  var step: Int? { session.state.withLock { $0.step } }

  /// Why the test tests nothing, after its body.
  var mistake: TestFailure? {
    (progress.hasPlayed ? session.mistake : "The body has not called run.play").map { TestFailure($0, place) }
  }

  // MARK: Playing
  //
  // An entry goes through these functions in their order: `pass` makes it the entry's time, `follow` does what the entry says, `settle`
  // runs what follows from that until the view models rest, and `draw` draws it. If something that the entry needs is still missing, such
  // as the call that it answers, the test's debounce or delay may not have ended: `need` lets timers fire. Only the head of a recording that
  // begins later goes another way: before all other entries, through `beginAgain`.

  /// Plays the entries in their order to the view models that ``recorder`` has made, and calls `check` after each of them.
  ///
  /// Time doesn't pass by itself: a timer fires where it has fired in the recording, or when an entry needs it. So a replay depends neither
  /// on the length of a debounce nor on the speed of a service. An error that `check` throws ends the replay, and is rethrown.
  public func play(_ check: () throws -> Void = {}) throws {
    state.withLock { $0.hasPlayed = true }
    if let mistake { throw mistake }
    try settle()
    let heldKinds: Set<Entry.Kind> = [.element, .completed, .failed]
    for entry in session.head where !heldKinds.contains(entry.kind) { try beginAgain(entry) }
    session.state.withLock { $0.phase = .sendingHeld }
    for entry in session.head where heldKinds.contains(entry.kind) { try beginAgain(entry) }
    session.state.withLock { $0.phase = .playing }
    for (index, entry) in session.entries.enumerated() where index >= session.headCount || entry.kind == .model {
      if beginnings.contains(index), let later = recording(from: index) { state.withLock { $0.later.append(later) } }
      session.state.withLock { $0.step = index }
      pass(to: entry)
      try follow(entry, index)
      try settle()
      draw(entry)
      if entry.kind != .state { try check() }
    }
  }

  /// Does what an entry of the head says, so that the view models have what was unfinished where the recording begins.
  private func beginAgain(_ entry: Entry) throws {
    guard let model = session.model(entry.model) else { return }
    switch entry.kind {
    case .again: model.beginAgain(entry)
    case .latest, .element, .completed, .failed: _ = session.deliver(entry, isLast: true)
    case .quiet: _ = scheduler.time.runNext(of: entry.model, entry.action)
    case .resume, .pause: model.resume(entry)
    default: return
    }
    try settle()
  }

  /// Makes it the time of the entry, so that two timers of one effect fire in the recorded order. Fires none. In a recording without
  /// timers, time passes only with those that an entry needs.
  private func pass(to entry: Entry?) {
    if let entry, !session.timedActions.isEmpty { scheduler.time.reach(.milliseconds(entry.time)) }
  }

  private func follow(_ entry: Entry, _ index: Int) throws {
    switch entry.kind {
    // The view models and their effects ask for these, or `beginAgain` has played them.
    case .model, .open, .value, .opening, .closing, .begin, .again, .latest: return
    case _ where entry.model == Entry.noModel: return try deliver(entry)
    default: break
    }
    guard let model = session.model(entry.model) else {
      if entry.kind == .state || entry.kind == .end { return }
      let text = "the test has no view model with the number \(entry.model): \(entry.text)"
      return session.depart(text, isElsewhere: true)
    }
    switch entry.kind {
    // An action from elsewhere that never began has changed nothing.
    case .gone where entry.cause == nil: break
    case .action:
      if let reason = model.execute(entry) { session.depart("\(reason) \(entry.text)") } else { session.meet() }
    case .forwarded: while model.release(entry) {}
    case _ where entry.isMark:
      let (cause, action) = (entry.cause?.first ?? entry.model, entry.cause?.last ?? entry.action)
      try need(entry, cause, action, "nothing came that the view model took as") { _ in model.release(entry) }
    case .timer: _ = scheduler.time.runNext(of: entry.model, entry.action)
    case .cancel: if session.takeCancellation(index) { model.cancel(entry.cancelled) }
    case .resume, .pause: model.resume(entry)
    case .state: compare(model, entry, index)
    case .end: model.clear()
    // An answer, an element, or the end of a stream.
    default: try deliver(entry)
    }
  }

  private func deliver(_ entry: Entry) throws {
    let reason = entry.isAnswer ? "no effect asked for" : "no effect follows the stream of"
    try need(entry, entry.model, entry.action, reason) { session.deliver(entry, isLast: $0) }
  }

  /// Does what an entry says, as soon as it is possible: if the recording does not have the timers of its action, lets one after the other
  /// fire.
  ///
  /// - Parameters:
  ///   - model: The view model whose timers may bring what the entry needs.
  ///   - action: The action whose timers may bring it. Nil for all.
  ///   - reason: What the departure says if nothing brings it.
  ///   - body: Does what the entry says. Returns false if that isn't possible yet. Its argument says that no timer is left.
  private func need(_ entry: Entry, _ model: Int, _ action: Int?, _ reason: String, _ body: (Bool) -> Bool) throws {
    let missing = "\(entry.kind) \(model) \(action ?? 0) \(entry.call?.question ?? "")"
    let isTimed = entry.kind != .quiet && session.timedActions.contains([model, action ?? 0])
    var timers = isTimed ? 0 : progress.givenUp.contains(missing) ? 1 : Self.mostTimers
    while !body(false) {
      if timers > 0, scheduler.time.runNext(of: model, action) {
        timers -= 1
        try settle()
        continue
      }
      if body(true) { break }
      _ = state.withLock { $0.givenUp.insert(missing) }
      // The action has ended before the answer came, and before the test has asked, for example while a retry waited.
      if entry.isAnswer, let action, session.model(model)?.hasEnded(action) == true { return }
      // A screen that the test doesn't make may have subscribed without an effect.
      return session.depart("\(reason) \(entry.text)", isElsewhere: entry.model == Entry.noModel)
    }
    session.meet()
  }

  /// Compares a state with the recorded one. The first difference says between which entries the states depart.
  private func compare(_ model: any PlayedModel, _ entry: Entry, _ index: Int) {
    guard let last = progress.lastEqual else { return }
    let difference = model.difference(entry)
    state.withLock { $0.lastEqual = difference == nil ? index : nil }
    guard let difference else { return }
    let title = "the states depart between entry \(last) and entry \(index), - recorded, + in the test:"
    session.departInState(([title] + difference).joined(separator: "\n"))
  }

  private func settle() throws {
    let limit = 1_000_000
    if scheduler.time.runUndelayed(limit: limit) { return }
    let place = step.map { "after \(session.entries[$0].text)" } ?? "at the beginning"
    session.noteMistake(
      "\(limit) pieces of work \(place), and more is due: does work schedule itself again without a delay?")
    if let mistake { throw mistake }
  }

  /// Draws the entry, with the states behind it.
  private func draw(_ entry: Entry) {
    guard var picture = state.withLock({ $0.picture.take() }) else { return }
    picture.add(entry)
    for model in session.models where entry.kind != .model || model.model == entry.model {
      picture.show(model.stateLines, of: model.model, at: picture.last)
    }
    state.withLock { $0.picture = picture }
  }

  /// Throws a ``TestFailure`` with the comment and the place of the call if the condition is false.
  public func expect(
    _ condition: @autoclosure () throws -> Bool, _ comment: @autoclosure () -> String = "",
    file: StaticString = #fileID, line: UInt = #line
  ) throws {
    if try !condition() { throw TestFailure(expectation: comment(), file, line, scheduler.time) }
  }

  func end() {
    // Also ends the tasks of view models that the test retains.
    for model in session.models { model.clear() }
    session.end()
    _ = scheduler.time.drain(limit: 1_000_000)
  }

  // MARK: A recording that begins later

  /// The entries from one on, behind the states that the test has now, and behind what is unfinished. Nil if a state is not `Codable`.
  private func recording(from index: Int) -> [Entry]? {
    var head: [Entry] = []
    for first in session.entries[..<index] where first.kind == .model {
      let own = session.entries[..<index].filter { $0.model == first.model }
      guard let model = session.model(first.model), own.last?.kind != .end else { continue }
      guard let state = model.stateJSON, let entry = Entry(.model, first.model, [first.json(3), first.json(4), state])
      else { return nil }
      head += [entry] + own.indices.compactMap { unfinished(own, $0, in: model) }
    }
    return head + [Entry(.begin, 0, ["\(index)"])].compactMap { $0 } + session.entries[index...]
  }

  /// How an entry of a view model stands in front of a recording that begins later. Nil if its action has ended.
  private func unfinished(_ all: [Entry], _ index: Int, in model: any PlayedModel) -> Entry? {
    let entry = all[index]
    if entry.kind == .resume || entry.kind == .pause { return entry }
    guard let action = entry.action, !model.hasEnded(action) else { return nil }
    switch entry.kind {
    case .action, .own, .again:
      let fields = [entry.json(3), entry.json(4), "\(model.takenEvents(of: action))", entry.json(6), entry.json(7)]
      return Entry(.again, entry.model, fields)
    case .element:
      // An operator may hold those behind the newest event.
      let isHeld = !all[index...].contains { [.event, .forwarded].contains($0.kind) && $0.action == action }
      return isHeld ? entry : Entry(.latest, entry.model, (3...6).map { entry.json($0) })
    case .quiet, .answer, .error, .value, .opening, .completed, .failed, .closing, .latest: return entry
    default: return nil
    }
  }
}
