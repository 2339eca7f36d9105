import RxViewModel
import RxViewModelRecording

/// What the page has from a recorder: what has come for the actions, which effect has executed them, and the lines of *Copy as test*.
extension SessionWriter {
  /// How old `recording.js` may be while one thing happens after the other.
  private static let recordingInterval = Duration.seconds(5)

  /// The events, with what the recorder has noted between them.
  func recorded(_ batch: InspectorBatch, _ now: Duration) -> [InspectorEvent] {
    guard let recorder else { return batch.events }
    let models = Dictionary(batch.models.compactMap { number, model in model.recorded.map { ($0, number) } }) { $1 }
    var events = batch.events[...]
    let arrivals = recorder.steps(since: &place).compactMap { step -> InspectorEvent? in
      guard let model = models[step.model] else { return nil }
      let id = UInt64(step.action)
      switch step.kind {
      case .cause(let other, let action):
        tracks[model, default: Track()].causes[id] = models[other].map { ($0, action) }
        return nil
      case .arrival(let kind, let question, let value):
        return InspectorEvent(
          time: min(step.time - begin, now), model: model, kind: .arrival(id, kind, question, value))
      }
    }
    return arrivals.flatMap { arrival -> [InspectorEvent] in
      let before = events.prefix { $0.time < arrival.time }
      events.removeFirst(before.count)
      return before + [arrival]
    } + events
  }

  /// The value as a recording has it, without what must not be seen.
  func redacted(_ value: any Sendable) -> any Sendable { recorder?.codes.redacted(value) ?? value }

  func text(of error: any Error) -> String {
    let text = logText(of: redacted(error))
    return recorder?.codes.text(text) ?? text
  }

  /// Writes `recording.js` when nothing has happened for a moment, because the texts of a recording cost O(n).
  func writeRecording(_ batch: InspectorBatch, _ now: Duration) throws(FileError) {
    guard let recorder else { return }
    isRecordingOld = isRecordingOld || !batch.events.isEmpty
    if !isRecordingOld || !batch.events.isEmpty && now - lastRecording < Self.recordingInterval { return }
    (isRecordingOld, lastRecording) = (false, now)
    let excerpts = recorder.excerpts
    let lines = excerpts.lines.map { quoted($0, most: .max) }
    var starts = excerpts.starts
    // If everything is too much, what begins later.
    while let first = starts.first, first.reduce(0, { $0 + lines[$1].utf8.count }) > Self.mostBytes {
      starts.removeFirst()
    }
    let needed = Set(starts.joined())
    let kept = lines.enumerated().map { needed.contains($0) ? $1 : "\"\"" }
    let begin = "\"header\":\(quoted(excerpts.header)),\"begin\":\((recorder.start - begin).milliseconds)"
    try folder.write(
      "recording.js", "recording({\(begin),\"starts\":\(starts),\"lines\":[\n\(kept.joined(separator: ",\n"))\n]});\n")
  }
}
