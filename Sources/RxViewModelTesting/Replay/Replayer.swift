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
/// other, for as long as the test fails in the same way, and for at most ten seconds. Then it throws a ``TestFailure`` with a table and the
/// text of the remaining entries. The text is a recording too: paste it into a test.
///
/// **Nothing reproduced.** A replay that passes proves something only if the test has followed the recording. So it also fails in these
/// cases:
///
/// - The recording begins without a state of a view model that the test makes, because that one had not rested since then.
/// - The test needs a value that was not recorded, or that can't be decoded.
/// - It has missed more entries of the view models that it makes than it has met. If it has met none, the entries of all view models count.
/// - It makes none of the recorded view models, makes one without the run's scheduler, or plays nothing.
/// - Work schedules itself again and again without a delay.
///
/// **Threads.** All runs are on the calling thread. The end of a run cancels pending work.
///
/// - Parameters:
///   - recording: The recording of the app.
///   - allowingDepartures: Whether the test may pass although it has missed most entries, or makes a view model to which the recording can't
///     be played. Use it for a view model that you have fixed since, and check its last state.
///   - shrinking: Whether a failing recording is made smaller.
///   - picture: The path of an HTML file, in which a failure draws its recording on the page of the inspector, with the changes of the
///     test's states and the entry at which it fails.
///   - file: The file that a failure names.
///   - line: The line that a failure names.
///   - body: Your test, called once for each run.
@discardableResult
public func replay(
  _ recording: Recording, allowingDepartures: Bool = false, shrinking: Bool = true, picture: String? = nil,
  file: StaticString = #fileID, line: UInt = #line, _ body: (Replay) throws -> Void
) throws -> ReplayReport {
  try withoutActuallyEscaping(body) { body in
    let replayer = Replayer(
      place: TestFailure.Place(file: file, line: line), allowsDepartures: allowingDepartures, comparesStates: false,
      picture: picture, body: body)
    return try replayer.replay(recording.entries, shrinking: shrinking)
  }
}

/// Plays each recording in a folder to view models that your test makes, and fails if a state differs from the recorded one.
///
///     try replay(allIn: "Sessions") { run in
///       let model = cities(run.recorder, on: run.scheduler) { _ in [] }
///       try run.play()
///       withExtendedLifetime(model) {}
///     }
///
/// So the sessions of users are a test of your app, and you write no conditions. A recording is a file whose name ends in `.recording`. Its
/// states, which it has where its view models rested, are compared with those of the test. If it has none, only its departures tell whether
/// the test has followed it. If you have changed a state on purpose, record the session again, or bring both states into one form with
/// ``Replay/compare(_:by:)``.
///
/// - Parameters:
///   - folder: The path of the folder, from that of the calling file.
///   - path: The calling file.
///   - file: The file that a failure names.
///   - line: The line that a failure names.
///   - body: Makes the view models and plays, once for each recording.
/// - Returns: The reports, by the names of the files.
@discardableResult
public func replay(
  allIn folder: String, path: StaticString = #filePath, file: StaticString = #fileID, line: UInt = #line,
  _ body: (Replay) throws -> Void
) throws -> [String: ReplayReport] {
  let place = TestFailure.Place(file: file, line: line)
  let parent = "\(path)".split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
  let files = Coding.texts(in: folder.hasPrefix("/") ? folder : parent + "/" + folder, suffix: ".recording") ?? []
  if files.isEmpty { throw TestFailure("There is no recording in \(folder)", place) }
  var (reports, failures) = ([String: ReplayReport](), [String]())
  withoutActuallyEscaping(body) { body in
    let replayer = Replayer(place: place, allowsDepartures: false, comparesStates: true, picture: nil, body: body)
    for (name, text) in files {
      do {
        reports[name] = try replayer.replay(Recording(text).entries, shrinking: false)
      } catch {
        failures += indented("\(name):") + indented(indented("\(error)"))
      }
    }
  }
  let count = files.count - reports.count
  if count > 0 { throw TestFailure("\(count) of \(files.count) recordings fail", place, failures) }
  return reports
}

/// Makes the runs of one replay: one that decides and, if it fails, many of smaller recordings, then the smallest one again for the text
/// and the picture of the failure.
struct Replayer {
  let place: TestFailure.Place
  let allowsDepartures: Bool
  /// Whether a state that differs from the recorded one is a failure.
  let comparesStates: Bool
  let picture: String?
  let body: (Replay) throws -> Void

  /// A run, its error, and what to say about effects that had left the scheduler at its end.
  typealias Outcome = (run: Replay, error: (any Error)?, outside: [String])

  func run(_ entries: [Entry], _ picture: Picture? = nil) -> Outcome {
    let run = Replay(entries, place, picture)
    return run.scheduler.time.atWork {
      defer { run.end() }
      do { try body(run) } catch { return (run, error, run.scheduler.time.linesAboutTasksOutside) }
      return (run, nil, run.scheduler.time.linesAboutTasksOutside)
    }
  }

  func replay(_ entries: [Entry], shrinking: Bool) throws -> ReplayReport {
    var first = run(entries)
    // An expectation that has failed somewhere counts, whatever has become of its error.
    first.error = first.error ?? first.run.progress.failure
    // A body that throws before it plays fails with its own error.
    if let mistake = first.run.mistake, first.error == nil || first.run.progress.hasPlayed { throw mistake }
    guard let error = first.error else {
      if let reason = reason(first.run.tally, entries) {
        throw TestFailure("reproduces nothing: \(reason)", place, departures(first.run.tally) + indented(first.outside))
      }
      if comparesStates, let difference = first.run.tally.difference {
        let way =
          "If that is on purpose, record the session again, or bring both states into one form with run.compare."
        throw TestFailure("reaches other states", place, indented(difference) + indented(way))
      }
      return ReplayReport(entries: entries.count, departures: first.run.tally.departures)
    }
    let best = shrinking ? Taps.$isQuiet.withValue(true) { smallest(entries, failingLike: error) } : entries
    let last = run(best, Picture(entries: best.count))
    throw failure(last.error ?? last.run.progress.failure ?? error, last, best, of: entries.count)
  }

  /// Why a run that has passed proves nothing.
  private func reason(_ tally: ReplaySession.Tally, _ entries: [Entry]) -> String? {
    if let reason = tally.unusable { return reason }
    if allowsDepartures { return nil }
    if let reason = tally.unplayable { return reason + ", or write allowingDepartures: true" }
    // The body makes the screens that its test is about.
    let missed = tally.met == 0 ? tally.missed + tally.elsewhere : tally.missed
    if missed <= tally.met { return nil }
    let way = "If the view model is another one now, write allowingDepartures: true"
    return "the test has met \(tally.met) entries, and missed \(missed). \(way)"
  }

  // MARK: Shrinking

  /// A small recording that fails like this one, after at most ten seconds: leaves out the states, whole actions, all marks, single entries.
  private func smallest(_ entries: [Entry], failingLike error: any Error) -> [Entry] {
    let (kind, end) = (FailureKind(error), ContinuousClock.now + .seconds(10))
    var shrinker = Shrinker(
      Array(entries.indices), key: { $0 },
      fails: { indices in
        if ContinuousClock.now > end { return nil }
        let outcome = run(indices.map { entries[$0] })
        if outcome.run.progress.hasPlayed, outcome.run.mistake != nil { return nil }
        return (outcome.error ?? outcome.run.progress.failure).flatMap { FailureKind($0) == kind ? indices : nil }
      })
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
    var drawn = outcome.run.progress.picture ?? Picture("")
    var lines =
      drawn.table + indented("\(error)") + indented(recording) + departures(outcome.run.tally)
      + indented(outcome.outside.filter { !"\(error)".contains($0) })
    if let picture {
      (drawn.failing, drawn.failure) = (drawn.last, "\(error)")
      for entry in entries.dropFirst((outcome.run.step ?? -1) + 1) { drawn.add(entry) }
      lines.append("  " + drawn.write(to: picture))
    }
    return TestFailure("fails with \(size)", place, lines)
  }

  private func departures(_ tally: ReplaySession.Tally) -> [String] {
    tally.departures.prefix(10).flatMap { indented("departure: \($0)") }
  }
}

private func indented(_ lines: [String]) -> [String] { lines.map { "  \($0)" } }

private func indented(_ text: String) -> [String] {
  indented(text.split(separator: "\n", omittingEmptySubsequences: false).map { "\($0)" })
}
