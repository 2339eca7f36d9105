import RxViewModelRecording

/// The steps of a recording, of a replay, or of an order that `explore` has run, which a page shows.
struct Picture: Sendable, Encodable {
  struct Lane: Encodable {
    var label: String
    let isAction: Bool
    let number: Int?
  }

  struct Step: Encodable {
    let kind: String
    var time: Int?
    let lanes: [Int]
    /// The lane of the effect that has executed the action.
    var origin: Int?
    let label: String
    var lines: [String] = []
    var states: [Shown] = []
    /// What the table says: that the action waits, starts or ends, and the lane of the action that it names as the cause.
    var note: String?
    var other: Int?

    private enum CodingKeys: CodingKey {
      case kind, time, lanes, origin, label, lines, states
    }

    private var isAction: Bool { kind == "action" || kind == "own" }
    /// Whether an action may still wait or start in this step.
    var isTaken: Bool { isAction && note == nil }

    /// Whether it is more than a mark of a recording.
    var isInTable: Bool {
      kind == "event" ? !states.isEmpty : !["model", "begin", "end", "open", "value", "state"].contains(kind)
    }

    var text: String {
      let verbs = ["action": "executed", "own": "executed", "event": "emits", "cancel": "cancelled"]
      let text = note ?? (isAction ? nil : label.isEmpty ? nil : label) ?? verbs[kind] ?? kind
      return text.split(separator: "\n").joined(separator: " ")
    }
  }

  struct Shown: Encodable {
    let model: Int
    let lines: [String]
    /// The lines that differ from the state before, with those around them.
    let changes: [String]
    let properties: [PropertyChange]

    private enum CodingKeys: CodingKey {
      case model, lines, changes
    }
  }

  var title: String
  var failure: String?
  /// The step at which the test fails.
  var failing: Int?
  /// The names of the view models.
  var models: [Int: String] = [:]
  private(set) var lanes: [Lane] = []
  private(set) var steps: [Step] = []
  /// The places of the lanes, by view model and action.
  private var laneIndices: [[Int?]: Int] = [:]
  /// The step at which each view model has taken its newest input.
  private var inputs: [Int: Int] = [:]
  /// The newest state of each view model.
  private var newest: [Int: StateText] = [:]
  /// The label of the lane of all servers.
  static let server = "server"

  private enum CodingKeys: CodingKey {
    case title, failure, failing, models, lanes, steps
  }

  init(_ title: String) { self.title = title }

  /// The number of the newest step. Nil if there is none.
  var last: Int? { steps.indices.last }

  /// Adds a step. An event that follows an answer or an element in its lane belongs to that step.
  ///
  /// - Parameters:
  ///   - kind: The kind of an entry, or "choice".
  ///   - model: The view model. Nil for the test itself.
  ///   - actions: The numbers of the actions. Without one, the step is the view model's.
  mutating func add(
    _ kind: String, time: Int? = nil, model: Int?, actions: [Int] = [], origin: (model: Int, action: Int?)? = nil,
    label: String, lines: [String] = []
  ) {
    let isAction = kind == "action" || kind == "own"
    let label = label.count > 200 ? label.prefix(200) + "…" : label
    var lanes = actions.filter { $0 != 0 }.map { lane(model, $0, isAction ? label : nil) }
    if lanes.isEmpty { lanes = [lane(model)] }
    let origin = origin.map { lane($0.model, $0.action == 0 ? nil : $0.action) }
    let causes = ["answer", "error", "value", "element", "completed"]
    if kind == "event", let last = steps.last, last.lanes == lanes, causes.contains(last.kind) {
      steps[steps.count - 1].lines += lines
    } else {
      steps.append(Step(kind: kind, time: time, lanes: lanes, origin: origin, label: label, lines: lines))
    }
    let inputs: Set = ["model", "action", "own", "event", "flush", "resume", "pause"]
    if inputs.contains(kind), let model { self.inputs[model] = steps.count - 1 }
  }

  /// Adds that a server handles a request.
  mutating func addToServer(_ label: String) {
    steps.append(Step(kind: Self.server, lanes: [lane(nil, 0, Self.server)], label: label))
  }

  /// Adds that an action waits, starts or ends. If it does the first as soon as the view model has taken it, that is one step.
  mutating func note(_ kind: String, _ text: String, model: Int, action: Int, because other: Int?) {
    let (own, other) = (lane(model, action), other.map { lane(model, $0) })
    if kind != "cancel", kind != "error", let last, steps[last].lanes == [own], steps[last].isTaken {
      (steps[last].note, steps[last].other) = (text, other)
    } else {
      let label = text + (other.map { lanes[$0].label } ?? "")
      steps.append(Step(kind: kind, lanes: [own], label: label, note: text, other: other))
    }
    if kind == "start" { inputs[model] = last }
  }

  /// Shows a state that differs from the one before, at the step at which the view model has taken its newest input, or at `step`.
  mutating func show(_ state: StateText, of model: Int, at step: Int? = nil) {
    let (lines, before) = (state.lines, newest[model])
    guard let step = step ?? inputs[model] ?? last, lines != before?.lines else { return }
    know(model)
    newest[model] = state
    let old = before?.lines ?? []
    let difference = Difference(from: old.count, to: lines.count) { old[$0] == lines[$1] }
    let changes = difference.text(shortensAbove: 0, old: { old[$0] }, new: { lines[$0] })
    let texts = Dictionary(before?.properties ?? []) { first, _ in first }
    let properties = state.properties.compactMap { name, new in
      texts[name].flatMap { $0 == new ? nil : PropertyChange(name: name, old: $0, new: new) }
    }
    steps[step].states.append(Shown(model: model, lines: lines, changes: changes, properties: properties))
  }

  private mutating func know(_ model: Int) {
    models[model] = models[model] ?? (model == Entry.noModel ? "no view model" : "view model \(model)")
  }

  private mutating func lane(_ model: Int?, _ action: Int? = nil, _ label: String? = nil) -> Int {
    if let model { know(model) }
    let index = laneIndices[[model, action]] ?? lanes.count
    if index == lanes.count {
      let name = action.map { $0 < 0 ? "source \($0)" : "action \($0)" } ?? model.flatMap { models[$0] } ?? "the test"
      lanes.append(Lane(label: name, isAction: action != nil && model != nil, number: action))
      laneIndices[[model, action]] = index
    }
    if let label { lanes[index].label = label }
    return index
  }

  /// One HTML file, which loads nothing from elsewhere. No text in it can end the script that holds the data.
  var page: String {
    let data = (try? Coding.text(of: self)) ?? "null"
    let safe = data.unicodeScalars.map { scalar in
      ["<", ">", "&", "\u{2028}", "\u{2029}"].contains(scalar)
        ? "\\u" + String(scalar.value + 0x10000, radix: 16).dropFirst() : "\(scalar)"
    }
    return PicturePage.head + safe.joined() + PicturePage.tail
  }

  /// Writes the page to a file. Returns a line for a failure, which names the file.
  func write(to path: String) -> String {
    Coding.write(page, to: path) ? "picture: \(path)" : "The picture cannot be written to \(path)"
  }
}
