import RxViewModel

/// The recordings that begin at different places of one log. They share their lines.
package struct Excerpts: Sendable {
  package let header = Recording.header
  package let lines: [String]
  /// The numbers of the lines of each recording. The first one has everything that the recorder has kept.
  package let starts: [[Int]]
}

/// What only a recorder knows of an action: what has come for its effect, or which effect has executed it.
package struct RecordedStep: Sendable {
  package enum Kind: Sendable {
    /// An answer, an element or an error. The value is redacted.
    case arrival(String, question: String, value: any Sendable)
    case cause(model: Int, action: Int)
  }

  /// As `Scheduler.now` tells it.
  package let time: Duration
  package let model: Int
  /// The number of the action, or 0 for what no action does.
  package let action: Int
  package let kind: Kind
}

/// For the inspector.
extension Recorder {
  /// The number of a view model that this recorder has made, or else nil.
  package func number<A, S>(of viewModel: RxViewModel<A, S>) -> Int? {
    (viewModel.tap as? RecorderTap).flatMap { $0.isRecorded(by: log) ? $0.model : nil }
  }

  /// When its times begin, as `Scheduler.now` tells it.
  package var start: Duration { log.map { .nanoseconds(Int64($0.start)) } ?? .zero }

  /// Makes the texts on the calling thread, of each entry once.
  package var excerpts: Excerpts {
    let starts = log?.state.withLock { $0.contents }.excerpts ?? []
    var (lines, numbers) = ([String](), [ObjectIdentifier: Int]())
    let indexes = starts.map { entries in
      entries.map { entry in
        if let number = numbers[ObjectIdentifier(entry)] { return number }
        numbers[ObjectIdentifier(entry)] = lines.count
        if let log { lines.append(entry.line(since: log.start, codes)) }
        return lines.count - 1
      }
    }
    return withExtendedLifetime(starts) { Excerpts(lines: lines, starts: indexes) }
  }

  /// What has been recorded since `place`, which becomes the place of the next one.
  package func steps(since place: inout Int) -> [RecordedStep] {
    let (entries, end) = log?.state.withLock { ($0.entries(since: place), $0.end) } ?? ([], 0)
    place = end
    return entries.compactMap { entry in
      let kind: RecordedStep.Kind
      if let cause = entry.cause {
        kind = .cause(model: cause.model, action: max(cause.action, 0))
      } else if let call = entry.call, let value = entry.value, entry.kind != .value,
        !(value is CancellationError)
      {
        kind = .arrival("\(entry.kind)", question: call.question, value: codes.redacted(value))
      } else {
        return nil
      }
      let time = Duration.nanoseconds(Int64(entry.time))
      return RecordedStep(time: time, model: entry.model, action: max(entry.number ?? 0, 0), kind: kind)
    }
  }
}
