import RxViewModel
public import RxViewModelRecording

/// The report of ``replay(_:allowingDepartures:shrinking:picture:file:line:_:)``.
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
  /// What the thread that plays knows, and what `expect` and `compare` say on any thread.
  struct Progress {
    fileprivate(set) var hasPlayed = false
    /// The number of timers that have brought nothing that an entry needs. There is a most, because an interval never ends.
    fileprivate var timersInVain = 0
    /// The newest entry at which the states were those of the recording. Nil once they have departed.
    fileprivate var lastEqual: Int? = 0
    /// The first failed expectation.
    fileprivate(set) var failure: TestFailure?
    /// What brings states into the form in which they are compared.
    fileprivate var forms: [ObjectIdentifier: @Sendable (any Sendable) -> any Sendable] = [:]
    /// The entries so far with the states that the view models have had. Nil unless the run is drawn.
    fileprivate(set) var picture: Picture?
  }

  /// The scheduler of this run. Make your view models on it.
  public let scheduler = TestScheduler()
  /// Use it instead of the app's recorder: it gives the recorded answers.
  public let recorder: Recorder
  /// The names of the recorded view models, in the order in which they were made. Make those that your test is about.
  public var names: [String] { session.entries.filter { $0.kind == .model }.map(\.name) }
  private let session: ReplaySession
  private let place: TestFailure.Place
  private let state: Lock<Progress>
  private static let mostTimersInVain = 1_000

  init(_ entries: [Entry], _ place: TestFailure.Place, _ picture: Picture?) {
    (session, state) = (ReplaySession(entries, on: scheduler), Lock(Progress(picture: picture)))
    (self.place, recorder) = (place, Recorder(playing: session))
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
  // as the call that it answers, the test's debounce or delay may not have ended: `need` lets timers fire.

  /// Plays the entries in their order to the view models that ``recorder`` has made, and calls `check` after each of them.
  ///
  /// Time doesn't pass by itself: a timer fires where it has fired in the recording, or when an entry needs it. So a replay depends neither
  /// on the length of a debounce nor on the speed of a service. An error that `check` throws ends the replay, and is rethrown.
  public func play(_ check: () throws -> Void = {}) throws {
    if progress.hasPlayed { session.noteMistake("The body has called run.play twice") }
    state.withLock { $0.hasPlayed = true }
    if let mistake { throw mistake }
    try settle()
    for entry in session.head where entry.kind == .resume {
      session.model(entry.model)?.resume(entry)
      try settle()
    }
    session.beginPlaying()
    for (index, entry) in session.entries.enumerated() where index >= session.headCount || entry.kind == .model {
      session.state.withLock { $0.step = index }
      pass(to: entry)
      try follow(entry, index)
      try settle()
      draw(entry)
      if entry.kind != .state { try check() }
    }
  }

  /// Makes it the time of the entry, so that two timers of one effect fire in the recorded order. Fires none. In a recording without
  /// timers, time passes only with those that an entry needs.
  private func pass(to entry: Entry?) {
    if let entry, !session.timedActions.isEmpty { scheduler.time.reach(.milliseconds(entry.time)) }
  }

  private func follow(_ entry: Entry, _ index: Int) throws {
    switch entry.kind {
    // The view models and their effects ask for these.
    case .model, .open, .value, .begin: return
    case .answer, .error, .element, .completed: return try deliver(entry)
    // Its view model had not rested where the recording begins, so the test doesn't have its actions.
    case _ where session.isUnrested(entry.model): return
    default: break
    }
    guard let model = session.model(entry.model) else {
      if entry.kind == .state || entry.kind == .end { return }
      let text = "the test has no view model with the number \(entry.model): \(entry.text)"
      return session.depart(text, isElsewhere: true)
    }
    if entry.isTaken { model.begin(entry, session.cancellations(after: index)) }
    switch entry.kind {
    case .action:
      if let reason = model.execute(entry) { session.depart("\(reason) \(entry.text)") } else { session.meet() }
    case .own, .event:
      let (cause, action) = (entry.cause?.first ?? entry.model, entry.cause?.last ?? entry.action)
      if try need(cause, action, { model.release(entry) }) { return session.meet() }
      // Several view models were released at once. In the recording, this one took an event of another's end before its own.
      let later = session.entries[(index + 1)...].lazy.filter { $0.model == entry.model && $0.kind != .state }
      if entry.kind == .event, model.isClosed, later.first(where: { $0.kind != .event })?.kind == .end { return }
      session.depart("nothing came that the view model took as \(entry.text)")
    case .timer: _ = scheduler.time.runNext(of: entry.model, entry.action)
    case .cancel: model.cancel(entry.cancelled)
    case .flush: model.flush(entry)
    case .resume, .pause: model.resume(entry)
    case .state: compare(model, entry, index)
    default: model.clear()
    }
  }

  private func deliver(_ entry: Entry) throws {
    let isElsewhere = session.model(entry.model) == nil
    if try need(entry.model, entry.action, { session.deliver(entry) }) { return session.meet() }
    if entry.isAnswer, !isElsewhere || entry.model == Entry.noModel {
      return session.state.withLock { $0.calls.early.append(entry) }
    }
    session.depart("no effect follows the stream of \(entry.text)", isElsewhere: isElsewhere)
  }

  /// Does what an entry says. As long as that isn't possible, and the recording does not have the timers of its effect, lets one after the
  /// other fire. Returns false if that doesn't help.
  private func need(_ model: Int, _ action: Int?, _ body: () -> Bool) throws -> Bool {
    let (isTimed, before) = (session.timedActions.contains([model, action ?? 0]), progress.timersInVain)
    while !body() {
      let mayFire = !isTimed && progress.timersInVain < Self.mostTimersInVain
      guard mayFire, scheduler.time.runNext(of: model, action) else { return false }
      state.withLock { $0.timersInVain += 1 }
      try settle()
    }
    state.withLock { $0.timersInVain = before }
    return true
  }

  /// Compares a state with the recorded one. The first difference says between which entries the states depart.
  private func compare(_ model: any PlayedModel, _ entry: Entry, _ index: Int) {
    guard let last = progress.lastEqual else { return }
    let forms = progress.forms
    guard let difference = model.difference(entry, { forms[ObjectIdentifier(type(of: $0))]?($0) ?? $0 }) else { return }
    state.withLock { $0.lastEqual = difference.isEmpty ? index : nil }
    if difference.isEmpty { return }
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
      if let state = model.stateText { picture.show(state, of: model.model, at: picture.last) }
    }
    state.withLock { $0.picture = picture }
  }

  /// Throws a ``TestFailure`` with the comment and the place of the call if the condition is false.
  ///
  /// The replay fails wherever you call this: in `play`, a service, a mapper or a `try?`, on any thread. The first failed expectation counts.
  /// Each later call throws it again, so that the body ends.
  public func expect(
    _ condition: @autoclosure () throws -> Bool, _ comment: @autoclosure () -> String = "",
    file: StaticString = #fileID, line: UInt = #line
  ) throws {
    if let failure = progress.failure { throw failure }
    if try condition() { return }
    let failure = TestFailure(expectation: comment(), file, line, scheduler.time)
    state.withLock { $0.failure = $0.failure ?? failure }
    throw failure
  }

  /// Compares states of this type after `form` has changed both: the recorded one, and that of the test.
  ///
  /// Use it to accept a change that you have made on purpose, such as a new field. Call it before ``play(_:)``.
  public func compare<State: Sendable>(_ type: State.Type, by form: @escaping @Sendable (State) -> State) {
    state.withLock { $0.forms[ObjectIdentifier(type)] = { ($0 as? State).map(form) ?? $0 } }
  }

  func end() {
    // Also ends the tasks of view models that the test retains.
    for model in session.models { model.clear() }
    session.end()
    _ = scheduler.time.drain(limit: 1_000_000)
  }
}
