import RxViewModel
import RxViewModelRecording

/// The steps of a recording, of a replay, or of an order that `explore` has run. A table and a page show them.
struct Picture: Sendable {
  /// An action's, a view model's for what no action of it does, the test's, or that of all servers.
  struct Lane {
    var label: String
    let model: Int?
    let number: Int?

    var isAction: Bool { model != nil && number != nil }
  }

  struct Step {
    let kind: String
    /// Of a recording, in milliseconds.
    var time: Int?
    let lanes: [Int]
    /// The lane of the effect that has executed the action.
    var origin: Int?
    let label: String
    var states: [Shown] = []
    /// That the action waits, starts or ends, and why.
    var phase: Phase?
    var cause: ExecutionCause?

    var isAction: Bool { kind == "action" || kind == "own" }
    /// Whether it is an entry of a recording.
    var isRecorded: Bool { time != nil }
  }

  enum Phase: Equatable {
    case waits, starts, completed, joined, cancelled, dropped
    case failed(String)

    /// Whether it is one step with the action if it follows at once.
    var joinsItsAction: Bool { [.waits, .starts, .joined].contains(self) }
  }

  struct Shown {
    let model: Int
    let changes: [PropertyChange]
  }

  let title: String
  var failure: String?
  /// The step at which the test fails.
  var failing: Int?
  /// The names of the view models, and their types if they are known.
  var models: [Int: (name: String, type: String)] = [:]
  private(set) var lanes: [Lane] = []
  private(set) var steps: [Step] = []
  /// The places of the lanes, by view model and action.
  private(set) var laneIndices: [[Int?]: Int] = [:]
  /// The step at which each view model has taken its newest input.
  private var inputs: [Int: Int] = [:]
  /// The newest state of each view model.
  private var newest: [Int: StateText] = [:]
  /// The label of the lane of all servers.
  static let server = "server"

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
    label: String
  ) {
    let isAction = kind == "action" || kind == "own"
    let label = label.count > 200 ? label.prefix(200) + "…" : label
    var lanes = actions.filter { $0 != 0 }.map { lane(model, $0, isAction ? label : nil) }
    if lanes.isEmpty { lanes = [lane(model)] }
    let origin = origin.map { lane($0.model, $0.action == 0 ? nil : $0.action) }
    let causes = ["answer", "error", "value", "element", "completed"]
    let belongsToLast = kind == "event" && steps.last.map { $0.lanes == lanes && causes.contains($0.kind) } ?? false
    if !belongsToLast { steps.append(Step(kind: kind, time: time, lanes: lanes, origin: origin, label: label)) }
    let inputs: Set = ["model", "action", "own", "event", "flush", "resume", "pause"]
    if inputs.contains(kind), let model { self.inputs[model] = last }
  }

  /// Adds that a server handles a request.
  mutating func addToServer(_ label: String) {
    steps.append(Step(kind: Self.server, lanes: [lane(nil, 0, Self.server)], label: label))
  }

  /// Adds that an action waits, starts or ends. If it does the first as soon as the view model has taken it, that is one step.
  mutating func note(_ phase: Phase, _ cause: ExecutionCause?, model: Int, action: Int) {
    let own = lane(model, action)
    if phase.joinsItsAction, let last, steps[last].lanes == [own], steps[last].isAction, steps[last].phase == nil {
      (steps[last].phase, steps[last].cause) = (phase, cause)
    } else {
      steps.append(Step(kind: "phase", lanes: [own], label: "", phase: phase, cause: cause))
    }
    if phase == .starts { inputs[model] = last }
  }

  /// Shows what differs from the state before, at the step at which the view model has taken its newest input, or at `step`.
  mutating func show(_ state: StateText, of model: Int, at step: Int? = nil) {
    guard let step = step ?? inputs[model] ?? last else { return }
    know(model)
    let (before, names) = (newest[model]?.properties, Set(state.properties.map(\.name)))
    let texts = Dictionary(before ?? []) { first, _ in first }
    newest[model] = state
    // A recording doesn't have a property that is nil.
    let absent = before == nil ? nil : "nil"
    var changes = state.properties.compactMap { name, new in
      texts[name] == new ? nil : PropertyChange(name: name, old: texts[name] ?? absent, new: new)
    }
    changes += (before ?? []).filter { !names.contains($0.name) }
      .map { PropertyChange(name: $0.name, old: $0.text, new: "nil") }
    if !changes.isEmpty { steps[step].states.append(Shown(model: model, changes: changes)) }
  }

  private mutating func know(_ model: Int) {
    models[model] = models[model] ?? (model == Entry.noModel ? "no view model" : "view model \(model)", "")
  }

  private mutating func lane(_ model: Int?, _ action: Int? = nil, _ label: String? = nil) -> Int {
    if let model { know(model) }
    let index = laneIndices[[model, action]] ?? lanes.count
    if index == lanes.count {
      let name = action.map { $0 < 0 ? "source \($0)" : "action \($0)" } ?? model.flatMap { models[$0]?.name }
      lanes.append(Lane(label: name ?? "the test", model: model, number: action))
      laneIndices[[model, action]] = index
    }
    if let label { lanes[index].label = label }
    return index
  }

  /// Writes the page to a file. Returns a line for a failure, which names the file.
  func write(to path: String) -> String {
    Coding.write(page, to: path) ? "picture: \(path)" : "The picture cannot be written to \(path)"
  }
}
