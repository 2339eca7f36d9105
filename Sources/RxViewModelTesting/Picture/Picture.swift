import RxViewModelRecording

/// The steps of a recording, of a replay, or of an order that `explore` has run, which a page shows.
package struct Picture: Sendable, Encodable {
  private struct Lane: Encodable {
    let model: Int?
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
  }

  package var title: String
  package var failure: String?
  /// The step at which the test fails.
  package var failing: Int?
  private var models: [Int: String] = [:]
  private var lanes: [Lane] = []
  private var steps: [Step] = []
  /// The places of the lanes, by view model and action.
  private var laneIndices: [[Int?]: Int] = [:]
  /// The step at which each view model has taken its newest input.
  private var inputs: [Int: Int] = [:]

  private enum CodingKeys: CodingKey {
    case title, failure, failing, models, lanes, steps
  }

  package init(_ title: String) {
    self.title = title
  }

  /// The number of the newest step. Nil if there is none.
  package var last: Int? { steps.indices.last }

  package mutating func name(_ model: Int, _ name: String) {
    models[model] = name
  }

  /// Adds a step. An event that follows an answer or an element in its lane belongs to that step.
  ///
  /// - Parameters:
  ///   - kind: The kind of an entry, or "choice".
  ///   - model: The view model. Nil for the test itself.
  ///   - actions: The numbers of the actions. Without one, the step is the view model's.
  package mutating func add(
    _ kind: String, time: Int? = nil, model: Int?, actions: [Int] = [], origin: (model: Int, action: Int?)? = nil,
    isInput: Bool, label: String, lines: [String] = []
  ) {
    let isAction = ["action", "own", "gone"].contains(kind)
    let label = label.count > 200 ? label.prefix(200) + "…" : label
    var lanes = actions.filter { $0 != 0 }.map { lane(model, $0, isAction ? label : nil) }
    if lanes.isEmpty { lanes = [lane(model)] }
    let origin = origin.map { lane($0.model, $0.action == 0 ? nil : $0.action) }
    let causes = ["answer", "error", "element", "opening", "completed", "failed"]
    if kind == "event", let last = steps.last, last.lanes == lanes, causes.contains(last.kind) {
      steps[steps.count - 1].lines += lines
    } else {
      steps.append(Step(kind: kind, time: time, lanes: lanes, origin: origin, label: label, lines: lines))
    }
    if isInput, let model { inputs[model] = steps.count - 1 }
  }

  /// Shows a state at the step at which the view model has taken its newest input, or at `step`.
  package mutating func show(_ lines: [String], of model: Int, at step: Int? = nil) {
    guard let step = step ?? inputs[model] ?? last else { return }
    know(model)
    steps[step].states.append(Shown(model: model, lines: lines))
  }

  private mutating func know(_ model: Int) { models[model] = models[model] ?? "view model \(model)" }

  private mutating func lane(_ model: Int?, _ action: Int? = nil, _ label: String? = nil) -> Int {
    if let model { know(model) }
    let index = laneIndices[[model, action]] ?? lanes.count
    if index == lanes.count {
      let name = action.map { $0 < 0 ? "source \($0)" : "action \($0)" } ?? model.flatMap { models[$0] } ?? "the test"
      lanes.append(Lane(model: model, label: name, isAction: action != nil))
      laneIndices[[model, action]] = index
    }
    if let label { lanes[index].label = label }
    return index
  }

  /// One HTML file, which loads nothing from elsewhere. No text in it can end the script that holds the data.
  package var page: String {
    let data = (try? Coding.text(of: self)) ?? "null"
    let safe = data.unicodeScalars.map { scalar in
      ["<", ">", "&", "\u{2028}", "\u{2029}"].contains(scalar)
        ? "\\u" + String(scalar.value + 0x10000, radix: 16).dropFirst() : "\(scalar)"
    }
    return PicturePage.head + safe.joined() + PicturePage.tail
  }

  /// Writes the page to a file. Returns a line for a failure, which names the file.
  package func write(to path: String) -> String {
    Coding.write(page, to: path) ? "picture: \(path)" : "The picture cannot be written to \(path)"
  }
}
