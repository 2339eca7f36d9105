import RxViewModel
public import RxViewModelRecording

/// The report of ``replay(_:shrinking:picture:file:line:_:)``.
public struct ReplayReport: Sendable {
  /// The number of entries.
  public let entries: Int
  /// Where the test departed from the recording: the first state that differs, a question without an answer, an answer without a question,
  /// an action or a view model that the other side does not know.
  public let departures: [String]
}

/// One run of a recording, in which a test makes the view models and plays the recording to them.
///
/// The thread that calls the body uses it.
public final class Replay {
  /// The scheduler of the view models.
  public let scheduler = TestScheduler()
  /// Takes the place of the app's recorder: it gives the recorded answers.
  public let recorder: Recorder
  private let playback: Playback
  /// The number of timers after which an entry is given up.
  private static let mostTimers = 1_000
  /// What an entry has needed and no timer has brought: another entry of that kind gives up after one timer. An interval never ends.
  private var givenUp: Set<Missing> = []

  private struct Missing: Hashable {
    let kind: Entry.Kind
    let model: Int
    let action: Int?
    let question: String?
  }

  /// The entry that is being played, or the last one that has been played, from 0. Nil before ``play(_:)``.
  private(set) var step: Int?
  /// The states that the view models have had, each with the entry behind which it came. Empty unless the run is drawn.
  private(set) var states: [(entry: Int, model: Int, text: String)] = []
  private var shown: [Int: String] = [:]
  private let isDrawn: Bool
  private let place: TestFailure.Place
  private(set) var hasPlayed = false

  init(_ entries: [Entry], _ place: TestFailure.Place, isDrawn: Bool = false) {
    (playback, self.place, self.isDrawn) = (Playback(entries, on: scheduler), place, isDrawn)
    recorder = Recorder(playing: playback)
  }

  var departures: [String] { playback.departures }

  /// Why the test tests nothing, after its body.
  var mistake: TestFailure? {
    let text = hasPlayed ? playback.mistake : "The body has not called run.play"
    return text.map { TestFailure($0, place) }
  }

  /// Plays the entries in their order to the view models that ``recorder`` has made, and calls `check` after each of them.
  ///
  /// Time does not pass by itself: a timer fires when an entry needs it. So a replay depends neither on the length of a quiet time nor on
  /// that of a service. An error that `check` throws ends the replay, and is rethrown.
  public func play(_ check: () throws -> Void = {}) throws {
    hasPlayed = true
    if let mistake { throw mistake }
    settle()
    for (index, entry) in playback.entries.enumerated() {
      step = index
      if entry.isTaken { expectCancellations(behind: index) }
      play(entry)
      settle()
      if isDrawn { noteStates(behind: index) }
      if entry.kind != .state { try check() }
    }
  }

  /// Notes the states that differ from those before the entry.
  private func noteStates(behind index: Int) {
    let entry = playback.entries[index]
    for model in playback.models where entry.kind != .model || model.model == entry.model {
      let text = model.stateText
      if shown.updateValue(text, forKey: model.model) != text { states.append((index, model.model, text)) }
    }
  }

  /// Throws a ``TestFailure`` with the comment and the place of the call if the condition is false.
  public func expect(
    _ condition: @autoclosure () throws -> Bool, _ comment: @autoclosure () -> String = "",
    file: StaticString = #fileID, line: UInt = #line
  ) throws {
    if try condition() { return }
    let comment = comment()
    throw TestFailure(comment.isEmpty ? "The condition is false" : comment, TestFailure.Place(file: file, line: line))
  }

  func end() {
    // A task of a view model that the test retains ends too.
    for model in playback.models { model.clear() }
    playback.end()
    _ = scheduler.time.drain(limit: 1_000_000)
  }

  // MARK: Entries

  private func play(_ entry: Entry) {
    guard let model = playback.model(entry.model) else {
      if ![.model, .open, .value, .opening, .middle, .marks, .state].contains(entry.kind) {
        playback.depart("the test has no view model with the number \(entry.model): \(entry.text)")
      }
      return
    }
    switch entry.kind {
    case .model, .open, .value, .opening, .middle, .marks: break
    case .action:
      let reason = model.isReleased ? "the body has released the view model before" : "an action cannot be decoded:"
      if !model.execute(entry) { playback.depart("\(reason) \(entry.text)") }
    case .own, .gone, .event, .quiet, .call, .failure:
      let origin = entry.fields.count > 1 ? entry.fields[1].array : nil
      let number = origin == nil ? entry.action : origin?.last?.integer
      need(entry, origin?.first?.integer ?? entry.model, number, "nothing came that the view model took as") {
        model.release(entry)
      }
    case .cancel: model.cancel(entry)
    case .resume, .pause: model.resume(entry)
    case .answer, .error: need(entry, entry.model, entry.action, "no effect asked for") { playback.answer(entry) }
    case .element, .completed, .failed:
      need(entry, entry.model, entry.action, "no effect follows the stream of") { playback.send(entry) }
    case .state: model.compare(entry)
    case .end: model.clear()
    }
  }

  /// Tells the view model which requests to cancel come while it handles the input at `index`.
  private func expectCancellations(behind index: Int) {
    let model = playback.entries[index].model
    let rest = playback.entries[(index + 1)...].prefix { !($0.model == model && $0.isTaken) }
    playback.model(model)?.expect(rest.filter { $0.model == model && $0.kind == .cancel })
  }

  /// Does what an entry says, as soon as it is possible: lets one timer of its action after the other fire.
  private func need(_ entry: Entry, _ model: Int, _ action: Int?, _ reason: String, _ body: () -> Bool) {
    let missing = Missing(kind: entry.kind, model: model, action: action, question: entry.call?.question)
    for _ in 0..<(givenUp.contains(missing) ? 2 : Self.mostTimers) {
      if body() { return }
      if !scheduler.time.runNext(of: model, action) { break }
      settle()
    }
    givenUp.insert(missing)
    // The action has ended before the answer came, and before the test has asked, for example while a retry waited.
    let isLate = [.answer, .error].contains(entry.kind) && playback.model(model)?.hasEnded(action) == true
    if !isLate { playback.depart("\(reason) \(entry.text)") }
  }

  private func settle() {
    _ = scheduler.time.runUndelayed(limit: 1_000_000)
  }
}
