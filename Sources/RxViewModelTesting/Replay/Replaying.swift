import RxViewModel
public import RxViewModelRecording

/// Plays a recording to view models, and makes a failing one as small as it can.
///
///     try replay(Recording(text)) { run in
///       let model = cities(run.recorder, on: run.scheduler) { _ in [] }
///       try run.play { try run.expect(model.currentState.isConsistent) }
///     }
///
/// `body` makes the view models with the function with which the app makes them, on the run's scheduler. No service is called: each
/// answer, each element and each cancellation comes as it was recorded, and in that order.
///
/// **Failures.** A replay fails if `body` throws: use ``Replay/expect(_:_:file:line:)``. Then `replay` leaves out one entry after the other
/// while the test fails in the same way, at most 2,000 times, and throws a ``TestFailure`` with the text of the remaining entries. That
/// text is a recording, to be pasted into a test. A departure fails no replay; a failure names it. A body that plays nothing fails, too:
/// it does not call ``Replay/play(_:)``, makes none of the recorded view models, or makes one without the run's scheduler.
///
/// **Threads.** All runs are on the calling thread. The end of a run cancels pending work.
///
/// - Parameters:
///   - recording: The recording of the app.
///   - shrinking: Whether a failing recording is made smaller.
///   - picture: A path. A failure writes a picture of its recording to it, as `Recording.timeline()` draws it, with the states of the test,
///     and with the entry at which the test fails.
///   - file: The file that a failure names.
///   - line: The line that a failure names.
///   - body: The test. It is called once for each run.
@discardableResult
public func replay(
  _ recording: Recording, shrinking: Bool = true, picture: String? = nil, file: StaticString = #fileID,
  line: UInt = #line, _ body: (Replay) throws -> Void
) throws -> ReplayReport {
  try withoutActuallyEscaping(body) { body in
    let replayer = Replayer(place: TestFailure.Place(file: file, line: line), picture: picture, body: body)
    return try replayer.replay(recording.entries, shrinking: shrinking)
  }
}

/// Makes the runs of one replay.
struct Replayer {
  let place: TestFailure.Place
  let picture: String?
  let body: (Replay) throws -> Void

  struct Outcome {
    let error: (any Error)?
    let mistake: TestFailure?
    let step: Int?
    let departures: [String]
    let states: [(entry: Int, model: Int, text: String)]
  }

  func run(_ entries: [Entry], isDrawn: Bool = false) -> Outcome {
    let run = Replay(entries, place, isDrawn: isDrawn)
    return run.scheduler.time.atWork {
      var thrown: (any Error)?
      do { try body(run) } catch { thrown = error }
      // A body that throws before it plays fails with its own error.
      let mistake = thrown == nil || run.hasPlayed ? run.mistake : nil
      run.end()
      return Outcome(
        error: thrown, mistake: mistake, step: run.step, departures: run.departures, states: run.states)
    }
  }

  func replay(_ entries: [Entry], shrinking: Bool) throws -> ReplayReport {
    let first = run(entries)
    if let mistake = first.mistake { throw mistake }
    guard let error = first.error else { return ReplayReport(entries: entries.count, departures: first.departures) }
    var best = entries
    if shrinking {
      let kind = FailureKind(error)
      best = Taps.$isQuiet.withValue(true) {
        smallest(entries) { entries in run(entries).error.map { FailureKind($0) == kind } ?? false }
      }
    }
    let last = run(best, isDrawn: picture != nil)
    throw failure(last.error ?? error, last, best, of: entries.count)
  }

  /// Leaves out entries while the rest fails: the states, whole actions, all order marks, single entries.
  private func smallest(_ entries: [Entry], fails: @escaping ([Entry]) -> Bool) -> [Entry] {
    var shrinker = Shrinker(Array(entries.indices), key: { $0 }, fails: { fails($0.map { entries[$0] }) ? $0 : nil })
    shrinker.run([
      { $0.removeGroups { [.state, .open].contains(entries[$0].kind) ? true : nil } },
      { $0.removeGroups { entries[$0].actionKey } },
      { $0.removeGroups { entries[$0].isMark ? true : nil } },
      { $0.removeBlocks() },
    ])
    return shrinker.best.map { entries[$0] }
  }

  private func failure(_ error: any Error, _ outcome: Outcome, _ entries: [Entry], of count: Int) -> TestFailure {
    let size = entries.count == count ? "all \(count) entries" : "\(entries.count) of \(count) entries"
    var lines = indented("\(error)")
    lines += indented(Recording(entries).description)
    let most = 10
    for departure in outcome.departures.prefix(most) { lines.append("  departure: \(departure)") }
    if let picture {
      let drawn = Recording(entries).picture(states: outcome.states, failing: outcome.step, failure: "\(error)")
      lines.append("  " + drawn.write(to: picture))
    }
    return TestFailure("fails with \(size)", place, lines)
  }

  private func indented(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }
  }
}

extension Entry {
  /// Tells the entries of one action from others. Nil for an entry of no action.
  fileprivate var actionKey: [Int]? {
    switch kind {
    case .action, .own, .gone, .event, .quiet, .answer, .error, .value, .element, .opening, .completed, .failed:
      action.map { [model, $0] }
    default: nil
    }
  }
}
