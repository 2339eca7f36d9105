import RxViewModelRecording

/// The steps of a recording, of a replay, or of an order that `explore` has run, which a page shows.
struct Picture: Sendable, Encodable {
  private struct Lane: Encodable {
    var label: String
    let isAction: Bool
  }

  private struct Step: Encodable {
    let kind: String
    let time: Int?
    let lanes: [Int]
    /// The lane of the effect that has executed the action.
    let origin: Int?
    let label: String
    var lines: [String]
    var states: [Shown] = []
  }

  private struct Shown: Encodable {
    let model: Int
    let lines: [String]
    /// The lines that differ from the state before, with those around them.
    let changes: [String]
  }

  var title: String
  var failure: String?
  /// The step at which the test fails.
  var failing: Int?
  /// The names of the view models.
  var models: [Int: String] = [:]
  private var lanes: [Lane] = []
  private var steps: [Step] = []
  /// The places of the lanes, by view model and action.
  private var laneIndices: [[Int?]: Int] = [:]
  /// The step at which each view model has taken its newest input.
  private var inputs: [Int: Int] = [:]
  /// The newest state of each view model.
  private var newest: [Int: [String]] = [:]

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

  /// Shows a state that differs from the one before, at the step at which the view model has taken its newest input, or at `step`.
  mutating func show(_ lines: [String], of model: Int, at step: Int? = nil) {
    guard let step = step ?? inputs[model] ?? last, lines != newest[model] else { return }
    know(model)
    let old = newest.updateValue(lines, forKey: model) ?? []
    let difference = Difference(from: old.count, to: lines.count) { old[$0] == lines[$1] }
    let changes = difference.text(shortensAbove: 0, old: { old[$0] }, new: { lines[$0] })
    steps[step].states.append(Shown(model: model, lines: lines, changes: changes))
  }

  private mutating func know(_ model: Int) {
    models[model] = models[model] ?? (model == Entry.noModel ? "no view model" : "view model \(model)")
  }

  private mutating func lane(_ model: Int?, _ action: Int? = nil, _ label: String? = nil) -> Int {
    if let model { know(model) }
    let index = laneIndices[[model, action]] ?? lanes.count
    if index == lanes.count {
      let name = action.map { $0 < 0 ? "source \($0)" : "action \($0)" } ?? model.flatMap { models[$0] } ?? "the test"
      lanes.append(Lane(label: name, isAction: action != nil))
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
