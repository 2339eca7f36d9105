import RxViewModel
public import RxViewModelRecording

/// Plays a recording to view models that your test makes, and makes a failing recording as small as it can.
///
///     try replay(Recording(text)) { run in
///       let model = cities(run.recorder, on: run.scheduler) { _ in [] }
///       try run.play { try run.expect(model.currentState.isConsistent) }
///     }
///
/// In `body`, make the view models with the function that your app uses, on the run's scheduler. No service is called: each answer,
/// element, timer and cancellation comes as it was recorded, and in that order.
///
/// **Failures.** A replay fails if `body` throws: use ``Replay/expect(_:_:file:line:)``. Then `replay` leaves out entries, one after the
/// other, for as long as the test fails in the same way. If many entries remain, it begins later, with the states that the test has there.
/// It does that for at most ten seconds, then throws a ``TestFailure`` with the text of the remaining entries. That text is a recording
/// too: paste it into a test.
///
/// **Nothing reproduced.** A replay that passes proves something only if the test has followed the recording. So it also fails in these
/// cases:
///
/// - The recording begins in the middle, without the state of a view model that the test makes.
/// - The test needs a value that was not recorded, or that can't be decoded.
/// - It has missed more entries of the view models that it makes than it has met. If it has met none, the entries of all view models count.
/// - It makes none of the recorded view models, makes one without the run's scheduler, or plays nothing.
/// - Work schedules itself again and again without a delay.
///
/// **Threads.** All runs are on the calling thread. The end of a run cancels pending work.
///
/// - Parameters:
///   - recording: The recording of the app.
///   - tolerant: Whether the test may pass although the recording begins in the middle, or the test has missed most entries. Use it for a
///     view model that you have fixed since, and check its last state.
///   - shrinking: Whether a failing recording is made smaller.
///   - picture: The path of an HTML file, in which a failure draws its recording, with the states of the test and the entry at which it
///     fails.
///   - file: The file that a failure names.
///   - line: The line that a failure names.
///   - body: Your test, called once for each run.
@discardableResult
public func replay(
  _ recording: Recording, tolerant: Bool = false, shrinking: Bool = true, picture: String? = nil,
  file: StaticString = #fileID, line: UInt = #line, _ body: (Replay) throws -> Void
) throws -> ReplayReport {
  try withoutActuallyEscaping(body) { body in
    let replayer = Replayer(
      place: TestFailure.Place(file: file, line: line), isTolerant: tolerant, picture: picture, body: body)
    return try replayer.replay(recording.entries, shrinking: shrinking)
  }
}

/// Makes the runs of one replay: one that decides and, if it fails, many of smaller recordings, then the smallest one again for the text
/// and the picture of the failure.
struct Replayer {
  let place: TestFailure.Place
  let isTolerant: Bool
  let picture: String?
  let body: (Replay) throws -> Void

  /// A run, its error, and what to say about effects that had left the scheduler at its end.
  typealias Outcome = (run: Replay, error: (any Error)?, outside: [String])

  func run(_ entries: [Entry], _ picture: Picture? = nil, beginnings: [Int] = []) -> Outcome {
    let run = Replay(entries, place, picture, beginnings: beginnings)
    return run.scheduler.time.atWork {
      defer { run.end() }
      do { try body(run) } catch { return (run, error, run.scheduler.time.linesAboutTasksOutside) }
      return (run, nil, run.scheduler.time.linesAboutTasksOutside)
    }
  }

  func replay(_ entries: [Entry], shrinking: Bool) throws -> ReplayReport {
    let first = run(entries)
    // A body that throws before it plays fails with its own error.
    if let mistake = first.run.mistake, first.error == nil || first.run.progress.hasPlayed { throw mistake }
    guard let error = first.error else {
      if let reason = reason(first.run.tally, entries) {
        throw TestFailure("reproduces nothing: \(reason)", place, departures(first.run.tally) + indented(first.outside))
      }
      return ReplayReport(entries: entries.count, departures: first.run.tally.departures)
    }
    let best = shrinking ? Taps.$isQuiet.withValue(true) { smallest(entries, failingLike: error) } : entries
    let last = run(best, picture.map { _ in Picture(entries: best.count) })
    throw failure(last.error ?? error, last, best, of: entries.count)
  }

  /// Why a run that has passed proves nothing.
  private func reason(_ tally: ReplaySession.Tally, _ entries: [Entry]) -> String? {
    if let reason = tally.unusable { return reason }
    if isTolerant { return nil }
    if tally.beginsInTheMiddle {
      let count = entries.first { $0.kind == .begin }?.number(3) ?? 0
      let way = "Make the state Codable, read the recording while the view model rests, or write tolerant: true"
      return "the recording begins in the middle, behind \(count) entries, without a state. \(way)"
    }
    // The body makes the screens that its test is about.
    let missed = tally.met == 0 ? tally.missed + tally.elsewhere : tally.missed
    if missed <= tally.met { return nil }
    let way = "If the view model is another one now, write tolerant: true"
    return "the test has met \(tally.met) entries, and missed \(missed). \(way)"
  }

  // MARK: Shrinking

  /// A small recording that fails like this one, after at most ten seconds.
  private func smallest(_ entries: [Entry], failingLike error: any Error) -> [Entry] {
    let kind = FailureKind(error)
    let start = ContinuousClock.now
    let isBefore = { (seconds: Double) in ContinuousClock.now < start + .seconds(seconds) }
    let fails = { (entries: [Entry]) in run(entries).error.map { FailureKind($0) == kind } ?? false }
    let whole = shrunk(entries) { isBefore(6) && fails($0) }
    if whole.count < 10 { return whole }
    // A bug that depends on many entries depends on the state that they have left.
    let step = run(whole).run.step ?? 0
    let steps = sequence(first: 1) { $0 * 2 }.prefix { $0 <= step }.map { step + 1 - $0 }
    let beginnings = steps.filter { whole[$0].kind != .model }
    let later = run(whole, beginnings: beginnings).run.progress.later.reversed()
    // Without a limit: together they are as long as two runs of the whole.
    guard let latest = later.first(where: fails) else { return whole }
    let least = shrunk(latest) { isBefore(10) && fails($0) }
    return least.count < whole.count ? least : whole
  }

  /// Leaves out entries while the rest fails: the states, whole actions, all order marks, single entries.
  private func shrunk(_ entries: [Entry], fails: @escaping ([Entry]) -> Bool) -> [Entry] {
    var shrinker = Shrinker(
      Array(entries.indices), key: { $0 }, fails: { fails($0.map { entries[$0] }) ? $0 : nil })
    shrinker.run([
      { $0.removeGroups { [.state, .open].contains(entries[$0].kind) ? true : nil } },
      { $0.removeGroups { index in entries[index].action.map { [entries[index].model, $0] } } },
      { $0.removeGroups { entries[$0].isMark ? true : nil } },
      { $0.removeBlocks() },
    ])
    return shrinker.best.map { entries[$0] }
  }

  private func failure(_ error: any Error, _ outcome: Outcome, _ entries: [Entry], of count: Int) -> TestFailure {
    let size = entries.count == count ? "all \(count) entries" : "\(entries.count) of \(count) entries"
    let recording = Recording(lines: entries.map(\.text)).description
    var lines =
      indented("\(error)") + indented(recording) + departures(outcome.run.tally)
      + indented(outcome.outside.filter { !"\(error)".contains($0) })
    if let picture, var drawn = outcome.run.progress.picture {
      (drawn.failing, drawn.failure) = (drawn.last, "\(error)")
      for entry in entries.dropFirst((outcome.run.step ?? -1) + 1) { drawn.add(entry) }
      lines.append("  " + drawn.write(to: picture))
    }
    return TestFailure("fails with \(size)", place, lines)
  }

  private func departures(_ tally: ReplaySession.Tally) -> [String] {
    tally.departures.prefix(10).flatMap { indented("departure: \($0)") }
  }

  private func indented(_ lines: [String]) -> [String] { lines.map { "  \($0)" } }

  private func indented(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }
  }
}
