import RxViewModel

/// An entry as the recorder keeps it: with the value itself. Its text is made when the recording is asked for.
// Sendable: `time` is set once, before others know the entry.
class Noted: @unchecked Sendable {
  let kind: Entry.Kind
  let model: Int
  let action: Int
  let value: (any Sendable)?
  let call: Call?
  let details: ActionDetails?
  @exclusivity(unchecked) final var time: UInt64

  init(
    _ kind: Entry.Kind, model: Int, action: Int = 0, value: (any Sendable)? = nil, call: Call? = nil,
    details: ActionDetails? = nil, time: UInt64 = 0
  ) {
    (self.kind, self.model, self.action, self.value, self.call) = (kind, model, action, value, call)
    (self.details, self.time) = (details, time)
  }

  /// A call of a service, the reading of a value, or the subscription to a stream.
  final class Call: Sendable {
    let model: Int
    /// The effect. Nil if it is unknown.
    let origin: EffectOrigin?
    let question: String
    let count: Int

    init(model: Int, origin: EffectOrigin?, question: String, count: Int) {
      (self.model, self.origin, self.question, self.count) = (model, origin, question, count)
    }
  }

  /// What few actions have.
  struct ActionDetails {
    /// The effect that has executed the action, and the number of the last entry before that.
    var origin: (effect: EffectOrigin, place: Int)?
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

  /// The same as another kind. An action is one from elsewhere then, because the test doesn't play the effect that has executed it.
  func changed(to kind: Entry.Kind) -> Noted {
    var details = details
    details?.origin = nil
    return Noted(kind, model: model, action: action, value: value, call: call, details: details, time: time)
  }

  func line(since start: UInt64, _ codes: Codes) -> String {
    var fields = ["\"\(kind)\"", "\((max(time, start) - start) / 1_000_000)", "\(model)"] + fields(codes)
    while fields.count > max(kind.place + 1, 3), fields.last == "null" { fields.removeLast() }
    return "[" + fields.joined(separator: ",") + "]"
  }

  private func fields(_ codes: Codes) -> [String] {
    // A state is written only if it is `Codable`, because a redaction of its type could not change it otherwise.
    let ofState = { (state: (any Sendable)?) in state is any Codable ? codes.json(of: state) : "null" }
    if let call {
      let fields = [call.origin.map { "\($0.action)" } ?? "null", Coding.quoted(call.question), "\(call.count)"]
      switch kind {
      case .open, .completed: return fields
      case .error, .failed: return fields + ((value as? any Error).map { [codes.json(ofError: $0)] } ?? [])
      default: return fields + [codes.json(of: value)]
      }
    }
    switch kind {
    case .action, .own, .gone, .again:
      let mode = details?.mode.flatMap { try? Coding.text(of: TappedMode($0)) }
      let origin = details?.origin.map { "[\($0.effect.model),\($0.effect.action)]" }
      let (events, batch) = (details?.events.map { "\($0)" }, details?.batch.map { "\($0)" })
      return ["\(action)", codes.json(of: value)] + [origin ?? events, mode, batch].map { $0 ?? "null" }
    case .cancel: return ["\((value as? [UInt64] ?? []))", "\(action)"]
    case .event, .forwarded, .quiet, .timer, .resume, .pause, .begin: return ["\(action)"]
    case .state: return [ofState(value)]
    case .model:
      let model = value as? Model
      return [Coding.quoted(model?.name ?? ""), Coding.quoted(model?.type ?? ""), ofState(model?.state)]
    default: return []
    }
  }
}

/// The entry of an action, with what the recorder notes of its effect. Also stands for a source; action 0 is the turn.
// Sendable: the lock of the log guards the variables.
final class EffectOrigin: Noted, WorkOrigin, @unchecked Sendable {
  let log: Log
  /// The number of its events from elsewhere that have been taken.
  @exclusivity(unchecked) var events: UInt64 = 0
  /// The calls so far, by question.
  @exclusivity(unchecked) var counts: [String: Int] = [:]
  /// The answers that wait for the effect to do something, with the tasks that have got them.
  @exclusivity(unchecked) var answers: [(task: Int?, noted: Noted)] = []
  /// The newest answer, or element, of each question, for a recording that begins when the effect has had them.
  @exclusivity(unchecked) var past: [Noted] = []
  /// The newest elements that an operator may hold, or whose events wait, each with the number of the event that comes after it.
  @exclusivity(unchecked) var held: [(element: Noted, event: UInt64)] = []
  /// The number of its events from elsewhere that have been sent.
  @exclusivity(unchecked) var sent: UInt64 = 0
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
    super.init(kind, model: model, action: action, value: value, details: details)
  }

  func fire() { log.note(Noted(.timer, model: model, action: action), of: self) }

  /// The most calls with different questions, questions whose answers are kept, and elements.
  static let (mostCounts, mostAnswers, mostElements) = (1_024, 32, 8)
}
