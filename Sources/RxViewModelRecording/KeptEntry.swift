import RxViewModel

/// An entry as the recorder keeps it: with the value itself. Its text is made when the recording is asked for.
// Sendable: `time` is set once, before others know the entry.
class KeptEntry: @unchecked Sendable {
  let kind: Entry.Kind
  let model: Int
  /// The number of the action. Nil if the entry belongs to none.
  let number: Int?
  /// The action, the answer, the error, the state, a ``Model``, a ``Cancelled``, the number of a screen or of entries.
  let value: (any Sendable)?
  let call: Call?
  let details: Details?
  @exclusivity(unchecked) final var time: UInt64

  init(
    _ kind: Entry.Kind, model: Int, number: Int? = nil, value: (any Sendable)? = nil, call: Call? = nil,
    details: Details? = nil, time: UInt64 = 0
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
  final class Details: Sendable {
    /// The effect that has executed the action.
    let cause: RecordedEffect?
    let mode: ExecutionMode?
    let batch: UInt64?

    init(cause: RecordedEffect?, mode: ExecutionMode?, batch: UInt64?) {
      (self.cause, self.mode, self.batch) = (cause, mode, batch)
    }
  }

  /// The value of a view model's entry.
  struct Model: Sendable {
    let name: String
    let type: String
    let state: (any Sendable)?
    /// The number of view models with these types that were made in front of it.
    let skipped: Int
  }

  /// The actions that are cancelled and, if the view model was at work, after how many states since its newest input.
  struct Cancelled: Sendable {
    let ids: [UInt64]
    let states: UInt64?
  }

  /// The same as another kind, and without what has executed the action.
  func changed(to kind: Entry.Kind) -> KeptEntry {
    let details = details.map { Details(cause: nil, mode: $0.mode, batch: $0.batch) }
    return KeptEntry(kind, model: model, number: number, value: value, call: call, details: details, time: time)
  }

  func line(since start: UInt64, _ codes: Codes) -> String {
    let time = (max(time, start) - start) / 1_000_000
    var fields = ["\"\(kind)\"", "\(time)", "\(model)", number.map { "\($0)" } ?? "null"] + written(codes)
    if let call { fields.insert(contentsOf: [Coding.quoted(call.question), "\(call.count)"], at: 5) }
    if let details {
      let mode = details.mode.flatMap { try? Coding.text(of: TappedMode($0)) }
      let cause = details.cause.map { "[\($0.model),\($0.action)]" }
      fields += [cause, mode, details.batch.map { "\($0)" }].map { $0 ?? "null" }
    }
    while fields.last == "null" { fields.removeLast() }
    return "[" + fields.joined(separator: ",") + "]"
  }

  /// The value, and what stands behind it, as JSON.
  private func written(_ codes: Codes) -> [String] {
    // Written only if it is `Codable`, because a redaction of its type could not change it otherwise.
    let ofState = { (state: (any Sendable)?) in state is any Codable ? codes.json(of: state) : "null" }
    switch (kind, value) {
    case (.model, let model as Model):
      let skipped = model.skipped == 0 ? "null" : "\(model.skipped)"
      return [ofState(model.state), Coding.quoted(model.name), Coding.quoted(model.type), skipped]
    case (.state, _): return [ofState(value)]
    case (.cancel, let cancelled as Cancelled): return ["\(cancelled.ids)", cancelled.states.map { "\($0)" } ?? "null"]
    // Not redacted, because it is in the code of the app or made of an id, as the lane of a mode.
    case (.flush, let lane as String): return [Coding.quoted(lane)]
    // Not redacted, because they are numbers of the recorder's.
    case (.resume, let number?), (.pause, let number?), (.begin, let number?): return ["\(number)"]
    case (.error, let error as any Error): return codes.json(ofError: error)
    default: return [codes.json(of: value)]
    }
  }
}

/// The effect of an action or of a source, or the turn, with what the recorder notes of it. It is also the entry of its action, because
/// most actions need no more than that entry.
// Sendable: the lock of the log guards the variables.
final class RecordedEffect: KeptEntry, WorkOrigin, @unchecked Sendable {
  let log: Log
  /// The number of the entry of the action. 0 for a source, and for an effect without a recorded action: a replay has these from the beginning.
  @exclusivity(unchecked) var place = 0
  /// The calls so far, by question.
  @exclusivity(unchecked) var counts: [String: Int] = [:]
  /// Whether something from elsewhere has reached it: an answer, an element, a timer. From then on each of its events is an entry.
  @exclusivity(unchecked) var isReached = false
  /// Of a source: the newest element of each stream, and the newest answer to each question that it isn't asking now.
  @exclusivity(unchecked) var newest: [KeptEntry] = []
  /// Of a source: whether it has asked, or something has reached it, since the view model rested.
  @exclusivity(unchecked) var isMoving = false
  /// Of a source: how many elements are being delivered to it, how many calls have no answer, and how many have had one.
  @exclusivity(unchecked) var (delivering, waiting, answers) = (0, 0, 0)
  /// Of a source: whether it has an answer that it has done nothing with yet.
  @exclusivity(unchecked) var isAnswered = false

  /// Whether a source that begins again would do something else. One that waits for its first answer asks again.
  var isBusy: Bool { delivering > 0 || isAnswered || waiting > 0 && answers > 0 }

  init(
    _ log: Log, _ kind: Entry.Kind = .own, model: Int, action: Int, value: (any Sendable)? = nil,
    details: Details? = nil
  ) {
    self.log = log
    super.init(kind, model: model, number: action, value: value, details: details)
  }

  /// The number of the action, negative for a source, or 0 for the turn.
  var action: Int { number ?? 0 }

  func fire() { log.note(KeptEntry(.timer, model: model, number: number), of: self) }

  /// The most calls with different questions, and the most streams whose elements a source keeps.
  static let (mostCounts, mostNewest) = (1_024, 32)
}

/// The context of a recorded service, which a replay doesn't call: what happens in it is not recorded.
final class ServiceCall: WorkOrigin {
  let (model, action) = (Entry.noModel, 0)
  static let shared = ServiceCall()
  static var isCurrent: Bool { Taps.origin === shared }
  func fire() {}
}
