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
  /// The scheduler of this run. Make your view models on it.
  public let scheduler = TestScheduler()
  /// Use it instead of the app's recorder: it gives the recorded answers.
  public let recorder: Recorder
  private let player: Player
  private let place: TestFailure.Place
  /// The entries from which on another recording is made.
  private let cuts: [Int]
  private var state: Lock<Player.State> { player.state }
  /// The number of timers after which an entry is given up.
  private static let mostTimers = 1_000

  init(_ entries: [Entry], _ place: TestFailure.Place, _ picture: Picture?, cuts: [Int]) {
    (player, self.place, self.cuts) = (Player(entries, on: scheduler, picture), place, cuts)
    recorder = Recorder(playing: player)
    // The timers of sources count from there.
    pass(to: player.entries[player.begin...].first { $0.kind != .begin })
  }

  var progress: Player.State { state.withLock { $0 } }

  /// Why the test tests nothing, after its body.
  var mistake: TestFailure? {
    (progress.hasPlayed ? player.mistake : "The body has not called run.play").map { TestFailure($0, place) }
  }

  /// Plays the entries in their order to the view models that ``recorder`` has made, and calls `check` after each of them.
  ///
  /// Time doesn't pass by itself: a timer fires where it has fired in the recording, or when an entry needs it. So a replay depends neither
  /// on the length of a debounce nor on the speed of a service. An error that `check` throws ends the replay, and is rethrown.
  public func play(_ check: () throws -> Void = {}) throws {
    state.withLock { $0.hasPlayed = true }
    if let mistake { throw mistake }
    try settle()
    for model in player.begin > 0 ? player.models : [] {
      try model.beginAgain(player.entries[..<player.begin].filter { $0.model == model.model }) { [self] entry in
        if entry.kind == .quiet { _ = scheduler.time.runNext(of: entry.model, entry.action) }
        try settle()
      }
    }
    for (index, entry) in player.entries.enumerated() {
      if cuts.contains(index), let part = part(from: index) { state.withLock { $0.parts.append(part) } }
      state.withLock { $0.step = index }
      if index < player.begin, entry.kind != .model { continue }
      pass(to: entry)
      try play(entry, index)
      try settle()
      draw(entry)
      if entry.kind != .state { try check() }
    }
  }

  /// Throws a ``TestFailure`` with the comment and the place of the call if the condition is false.
  public func expect(
    _ condition: @autoclosure () throws -> Bool, _ comment: @autoclosure () -> String = "",
    file: StaticString = #fileID, line: UInt = #line
  ) throws {
    if try !condition() { throw TestFailure(expectation: comment(), file, line) }
  }

  func end() {
    // Also ends the tasks of view models that the test retains.
    for model in player.models { model.clear() }
    player.end()
    _ = scheduler.time.drain(limit: 1_000_000)
  }

  // MARK: Entries

  private func play(_ entry: Entry, _ index: Int) throws {
    guard let model = player.model(entry.model) else {
      if [.model, .open, .value, .opening, .begin, .state, .end].contains(entry.kind) { return }
      if entry.model == Entry.unknown { return try deliver(entry) }
      let text = "the test has no view model with the number \(entry.model): \(entry.text)"
      return player.depart(text, isElsewhere: true)
    }
    switch entry.kind {
    case .model, .open, .value, .opening, .begin, .again, .latest: break
    // An action from elsewhere that never began has changed nothing.
    case .gone where entry.origin == nil: break
    case .action:
      if model.execute(entry) { return player.meet() }
      let reason = model.isReleased ? "the body has released the view model before" : "an action cannot be decoded:"
      player.depart("\(reason) \(entry.text)")
    case .own, .gone, .event, .quiet, .call, .failure:
      let (origin, action) = (entry.origin?.first ?? entry.model, entry.origin?.last ?? entry.action)
      try need(entry, origin, action, "nothing came that the view model took as") { _ in model.release(entry) }
    case .forwarded: while model.release(entry) {}
    case .timer: _ = scheduler.time.runNext(of: entry.model, entry.action)
    case .cancel: if player.takeCancellation(index) { model.cancel(entry.cancelled) }
    case .resume, .pause: model.resume(entry)
    case .answer, .error, .element, .completed, .failed: try deliver(entry)
    case .state: compare(model, entry, index)
    case .end: model.clear()
    }
  }

  /// Compares a state with the recorded one. The first difference says between which entries the states depart.
  private func compare(_ model: any PlayedModel, _ entry: Entry, _ index: Int) {
    guard let same = progress.same else { return }
    let difference = model.difference(entry)
    state.withLock { $0.same = difference == nil ? index : nil }
    guard let difference else { return }
    let title = "the states depart between entry \(same) and entry \(index), - recorded, + in the test:"
    player.departInState(([title] + difference).joined(separator: "\n"))
  }

  private func deliver(_ entry: Entry) throws {
    let reason = entry.isAnswer ? "no effect asked for" : "no effect follows the stream of"
    try need(entry, entry.model, entry.action, reason) { player.deliver(entry, isLast: $0) }
  }

  /// Does what an entry says, as soon as it is possible: if the recording does not have the timers of its action, lets one after the other
  /// fire.
  private func need(_ entry: Entry, _ model: Int, _ action: Int?, _ reason: String, _ body: (_ isLast: Bool) -> Bool)
    throws
  {
    if body(false) { return player.meet() }
    let missing = "\(entry.kind) \(model) \(action ?? 0) \(entry.call?.question ?? "")"
    let isTimed = entry.kind != .quiet && player.timed.contains([model, action ?? 0])
    var timers = isTimed ? 0 : progress.givenUp.contains(missing) ? 1 : Self.mostTimers
    while timers > 0, scheduler.time.runNext(of: model, action) {
      try settle()
      if body(false) { return player.meet() }
      timers -= 1
    }
    if body(true) { return player.meet() }
    _ = state.withLock { $0.givenUp.insert(missing) }
    // The action has ended before the answer came, and before the test has asked, for example while a retry waited.
    let hasEnded = player.model(model)?.hasEnded(action) == true
    if entry.isAnswer, hasEnded { return }
    // A screen that the test doesn't make may have subscribed without an effect.
    player.depart("\(reason) \(entry.text)", isElsewhere: entry.model == Entry.unknown)
  }

  /// Makes it the time of the entry, so that two timers of one effect fire in the recorded order. Fires none. In a recording without timers,
  /// time passes only with those that an entry needs.
  private func pass(to entry: Entry?) {
    if let entry, !player.timed.isEmpty { scheduler.time.reach(.milliseconds(entry.time)) }
  }

  private func settle() throws {
    let limit = 1_000_000
    if scheduler.time.runUndelayed(limit: limit) { return }
    let place = progress.step.map { "after \(player.entries[$0].text)" } ?? "at the beginning"
    player.fail(
      "\(limit) pieces of work \(place), and more is due: does work schedule itself again without a delay?")
    if let mistake { throw mistake }
  }

  /// Draws the entry, with the states behind it.
  private func draw(_ entry: Entry) {
    guard var picture = state.withLock({ $0.picture.take() }) else { return }
    picture.add(entry)
    for model in player.models where entry.kind != .model || model.model == entry.model {
      picture.show(model.stateLines, of: model.model, at: picture.last)
    }
    state.withLock { $0.picture = picture }
  }

  // MARK: A recording that begins later

  /// The entries from one on, behind the states that the test has now, and behind what is unfinished. Nil if a state is not `Codable`.
  private func part(from index: Int) -> [Entry]? {
    var head: [Entry] = []
    for first in player.entries[..<index] where first.kind == .model {
      let own = player.entries[..<index].filter { $0.model == first.model }
      guard let model = player.model(first.model), own.last?.kind != .end else { continue }
      guard let state = model.stateJSON, let entry = Entry(.model, first.model, [first.json(3), first.json(4), state])
      else { return nil }
      head += [entry] + own.indices.compactMap { unfinished(own, $0, in: model) }
    }
    return head + [Entry(.begin, 0, ["\(index)"])].compactMap { $0 } + player.entries[index...]
  }

  /// How an entry of a view model stands in front of a recording that begins later. Nil if its action has ended.
  private func unfinished(_ all: [Entry], _ index: Int, in model: any PlayedModel) -> Entry? {
    let entry = all[index]
    if entry.kind == .resume || entry.kind == .pause { return entry }
    guard let action = entry.action, !model.hasEnded(action) else { return nil }
    switch entry.kind {
    case .action, .own, .again:
      let count = (entry.number(5) ?? 0) &+ all.count { $0.kind == .event && $0.action == action }
      return Entry(.again, entry.model, [entry.json(3), entry.json(4), "\(count)", entry.json(6), entry.json(7)])
    case .element:
      // An operator may hold those behind the newest event.
      let isHeld = !all[index...].contains { $0.kind == .event && $0.action == action }
      return isHeld ? entry : Entry(.latest, entry.model, (3...6).map { entry.json($0) })
    case .quiet, .answer, .error, .value, .opening, .latest: return entry
    default: return nil
    }
  }
}
