import RxViewModel

/// An entry as the recorder keeps it: with the value itself. Its text is made when the recording is asked for.
// Sendable: `time` is set once, before others know the entry.
class KeptEntry: @unchecked Sendable {
  typealias Fields = @Sendable (Codes) -> [String]

  let kind: Entry.Kind
  let model: Int
  /// The number of the action. Nil if the entry belongs to none.
  let number: Int?
  /// The action, the answer, the error or the state.
  let value: (any Sendable)?
  let call: Call?
  let cause: Cause?
  /// The value and what stands behind it, as JSON. Nil for an entry with a value alone.
  let fields: Fields?
  @exclusivity(unchecked) final var time: UInt64

  init(
    _ kind: Entry.Kind, model: Int, number: Int? = nil, value: (any Sendable)? = nil, call: Call? = nil,
    cause: Cause? = nil, time: UInt64 = 0, fields: Fields? = nil
  ) {
    (self.kind, self.model, self.number, self.value, self.call) = (kind, model, number, value, call)
    (self.cause, self.time, self.fields) = (cause, time, fields)
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

  /// The effect that has executed the action. Its numbers only, because effects that retain each other would never go.
  struct Cause: Sendable {
    let model: Int
    let action: Int
    let place: Int
  }

  /// The same as another kind, and without what has executed the action.
  func changed(to kind: Entry.Kind) -> KeptEntry {
    KeptEntry(kind, model: model, number: number, value: value, call: call, time: time, fields: fields)
  }

  /// What a source begins again with. It doesn't retain the source, which keeps it.
  var past: KeptEntry {
    let call = call.map { Call(model: $0.model, effect: nil, question: $0.question, count: $0.count) }
    return KeptEntry(
      kind == .element ? .value : kind, model: model, number: number, value: value, call: call, time: time)
  }

  func line(since start: UInt64, _ codes: Codes) -> String {
    let time = (max(time, start) - start) / 1_000_000
    var line = ["\"\(kind)\"", "\(time)", "\(model)", number.map { "\($0)" } ?? "null"] + written(codes)
    if let call { line.insert(contentsOf: [Coding.quoted(call.question), "\(call.count)"], at: 5) }
    if kind == .action || kind == .own { line.insert(cause.map { "[\($0.model),\($0.action)]" } ?? "null", at: 5) }
    while line.last == "null" { line.removeLast() }
    return "[" + line.joined(separator: ",") + "]"
  }

  private func written(_ codes: Codes) -> [String] {
    if let fields { return fields(codes) }
    if kind == .error, let error = value as? any Error { return codes.json(ofError: error) }
    return [kind == .state ? codes.json(ofState: value) : codes.json(of: value)]
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
    cause: Cause? = nil, fields: Fields? = nil
  ) {
    self.log = log
    super.init(kind, model: model, number: action, value: value, cause: cause, fields: fields)
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
  func fire() {}
}
