import RxViewModel

/// An entry as the recorder keeps it: with the value itself. Its text is made when the recording is asked for.
// Sendable: `time` is set once, before others know the entry.
class KeptEntry: @unchecked Sendable {
  let kind: Entry.Kind
  let model: Int
  /// The number of the action or, as the kind says, of the screen, of looks, or of entries.
  let number: Int
  let value: (any Sendable)?
  let call: Call?
  let details: ActionDetails?
  @exclusivity(unchecked) final var time: UInt64

  init(
    _ kind: Entry.Kind, model: Int, number: Int = 0, value: (any Sendable)? = nil, call: Call? = nil,
    details: ActionDetails? = nil, time: UInt64 = 0
  ) {
    (self.kind, self.model, self.number, self.value, self.call) = (kind, model, number, value, call)
    (self.details, self.time) = (details, time)
  }

  /// A call of a service, the reading of a value, or the subscription to a stream.
  final class Call: Sendable {
    let model: Int
    /// The effect. Nil for a turn, or if it is unknown.
    let effect: RecordedEffect?
    let question: String
    let count: Int

    init(model: Int, effect: RecordedEffect?, question: String, count: Int) {
      (self.model, self.effect, self.question, self.count) = (model, effect, question, count)
    }
  }

  /// What few actions have.
  struct ActionDetails {
    /// The effect that has executed the action, and the number of the last entry before that.
    var cause: (effect: RecordedEffect, place: Int)?
    /// The number of its events so far, if it begins again.
    var events: UInt64?
    var mode: ExecutionMode?
    var batch: UInt64?
  }

  struct Model: Sendable {
    let name: String
    let type: String
    let state: (any Sendable)?
  }

  /// The same as another kind, and without what has executed the action.
  func changed(to kind: Entry.Kind) -> KeptEntry {
    var details = details
    details?.cause = nil
    return KeptEntry(kind, model: model, number: number, value: value, call: call, details: details, time: time)
  }

  func line(since start: UInt64, _ codes: Codes) -> String {
    var fields = ["\"\(kind)\"", "\((max(time, start) - start) / 1_000_000)", "\(model)"] + fields(codes)
    while fields.count > max(kind.valueIndex + 1, 3), fields.last == "null" { fields.removeLast() }
    return "[" + fields.joined(separator: ",") + "]"
  }

  private func fields(_ codes: Codes) -> [String] {
    // A state is written only if it is `Codable`, because a redaction of its type could not change it otherwise.
    let ofState = { (state: (any Sendable)?) in state is any Codable ? codes.json(of: state) : "null" }
    if let call {
      let fields = [call.effect.map { "\($0.action)" } ?? "null", Coding.quoted(call.question), "\(call.count)"]
      switch kind {
      case .open, .completed: return fields
      case .error, .failed, .closing: return fields + ((value as? any Error).map { [codes.json(ofError: $0)] } ?? [])
      default: return fields + [codes.json(of: value)]
      }
    }
    switch kind {
    case .action, .own, .gone, .again:
      let mode = details?.mode.flatMap { try? Coding.text(of: TappedMode($0)) }
      let cause = details?.cause.map { "[\($0.effect.model),\($0.effect.action)]" }
      let (events, batch) = (details?.events.map { "\($0)" }, details?.batch.map { "\($0)" })
      return ["\(number)", codes.json(of: value)] + [cause ?? events, mode, batch].map { $0 ?? "null" }
    case .cancel: return ["\((value as? [UInt64] ?? []))", "\(number)"]
    case .event, .forwarded, .quiet, .timer, .resume, .pause, .begin: return ["\(number)"]
    case .state: return [ofState(value)]
    case .model:
      let model = value as? Model
      return [Coding.quoted(model?.name ?? ""), Coding.quoted(model?.type ?? ""), ofState(model?.state)]
    default: return []
    }
  }
}

/// The effect of an action or of a source, or the turn, with what the recorder notes of it. It is also the entry of its action, because
/// most actions need no more than that entry.
// Sendable: the lock of the log guards the variables.
final class RecordedEffect: KeptEntry, WorkOrigin, @unchecked Sendable {
  let log: Log
  /// The calls so far, by question.
  @exclusivity(unchecked) var counts: [String: Int] = [:]
  /// The answers that wait for the effect to do something, with the tasks that have got them.
  @exclusivity(unchecked) var answers: [(task: Int?, entry: KeptEntry)] = []
  /// The newest answer, or element and end, of each question, for a recording that begins when the effect has had them. An answer that the
  /// effect has used for an event has the number of that event.
  @exclusivity(unchecked) var past: [(entry: KeptEntry, event: UInt64)] = []
  /// The newest elements that an operator may hold, or whose events wait, and ends of streams, each with the number of the event that comes
  /// after it.
  @exclusivity(unchecked) var held: [(entry: KeptEntry, event: UInt64)] = []
  /// The number of its events from elsewhere that have been sent, and of those that have been taken.
  @exclusivity(unchecked) var sent: UInt64 = 0
  @exclusivity(unchecked) var events: UInt64 = 0
  @exclusivity(unchecked) var isOver = false
  /// Whether an earlier action of its batch has stopped it while it waited in its lane.
  @exclusivity(unchecked) var isDropped = false
  /// Whether its debounce has ended.
  @exclusivity(unchecked) var isQuiet = false

  init(
    _ log: Log, _ kind: Entry.Kind = .own, model: Int, action: Int, value: (any Sendable)? = nil,
    details: ActionDetails? = nil
  ) {
    self.log = log
    super.init(kind, model: model, number: action, value: value, details: details)
  }

  /// The number of the action, negative for a source, or 0 for the turn.
  var action: Int { number }

  func fire() { log.note(KeptEntry(.timer, model: model, number: action), of: self) }

  /// The most calls with different questions, questions whose answers are kept, and elements.
  static let (mostCounts, mostAnswers, mostElements) = (1_024, 32, 8)
}
