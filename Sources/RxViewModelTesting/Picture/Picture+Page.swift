import RxViewModelInspector

extension Picture {
  /// The inspector's page with these steps, as one HTML file that loads nothing. Its times are steps.
  var page: String {
    let session = PictureSession(self)
    let head = [
      "\"format\":2,\"id\":\"1\",\"chunk\":1,\"from\":0,\"first\":0,\"unit\":\"step\",\"title\":\(quoted(title))",
      "\"now\":\(PictureSession.time(of: steps.count)),\"models\":[\(session.models.joined(separator: ","))]",
      failure.map { "\"failure\":\(quoted($0, most: 10_000))" },
      failing.map { "\"failing\":\(PictureSession.time(of: $0))" },
    ]
    let entries = session.entries.joined(separator: ",\n")
    return inspectorPage(with: "session({\(head.compactMap(\.self).joined(separator: ","))},[\n\(entries)\n]);")
  }
}

/// The entries of the inspector's format that show the steps of a picture.
private struct PictureSession {
  /// Of an action, or with the number 0 for what no action of a view model does.
  private struct Row {
    let model: Int
    let number: Int
    let label: String
  }

  private let lanes: [Picture.Lane]
  /// The view models, and the test with its servers.
  private(set) var models: [String] = []
  private(set) var entries: [String] = []
  /// The numbers that the page gives them.
  private var places: [Int?: Int] = [:]
  private var announced: Set<[Int]> = []
  private var ended: Set<Int> = []

  init(_ picture: Picture) {
    lanes = picture.lanes
    for (number, model) in picture.models.sorted(by: { $0.key < $1.key }) { add(model.name, model.type, number) }
    if lanes.contains(where: { $0.model == nil }) { add("the test", "", nil) }
    // A recording doesn't say how an action ends, only what has come for it.
    let recorded = picture.steps.enumerated().filter { $0.element.isRecorded }
    let last = Dictionary(recorded.flatMap { step in step.element.lanes.map { ($0, step.offset) } }) { $1 }
    for (index, step) in picture.steps.enumerated() {
      for lane in step.lanes { add(step, index, lane) }
      for shown in step.states {
        let own = step.lanes.first { lanes[$0].model == shown.model && lanes[$0].isAction }
        let changes = shown.changes.flatMap(\.lines).map { quoted($0) }.joined(separator: ",")
        let lane = own.map { lanes[$0] } ?? Picture.Lane(label: "", model: shown.model, number: nil)
        add("state", index, row(of: lane), ",\"diff\":[\(changes)]")
      }
      for lane in step.lanes where last[lane] == index { end(lane, index, ",\"as\":\"\"") }
    }
  }

  static func time(of step: Int) -> Int { 100 * step }

  private mutating func add(_ name: String, _ type: String, _ number: Int?) {
    places[number] = models.count + 1
    models.append("{\"m\":\(models.count + 1),\"t\":0,\"name\":\(quoted(name)),\"type\":\(quoted(type))}")
  }

  private func row(of lane: Picture.Lane) -> Row {
    let model = places[lane.model] ?? 0
    if lane.isAction, let number = lane.number { return Row(model: model, number: number, label: lane.label) }
    return Row(model: model, number: 0, label: lane.model == nil ? "the test and its servers" : "without an action")
  }

  private mutating func add(_ step: Picture.Step, _ index: Int, _ lane: Int) {
    let row = row(of: lanes[lane])
    if step.isAction, row.number > 0, announced.insert([row.model, row.number]).inserted {
      let executor = step.origin.map { self.row(of: lanes[$0]) }
      let by = executor.map { ",\"by\":{\"m\":\($0.model),\"a\":\($0.number)}" } ?? ""
      add("action", index, row, ",\"value\":\(quoted(row.label))\(by)\(step.time.map { ",\"ms\":\($0)" } ?? "")")
      if step.isRecorded { add("start", index, row) }
    }
    let cause = step.cause.map { ",\"cause\":\($0.json)" } ?? ""
    switch step.phase {
    case .waits: add("waits", index, row, cause)
    case .starts: add("start", index, row, cause)
    case .completed, .joined: end(lane, index, ",\"as\":\"completed\"\(cause)")
    case .cancelled: end(lane, index, ",\"as\":\"cancelled\"\(cause)")
    case .dropped: end(lane, index, ",\"as\":\"dropped\"\(cause)")
    case .failed(let error): end(lane, index, ",\"as\":\"failed\",\"error\":\(quoted(error))")
    case nil where step.kind == "cancel" && row.number > 0: end(lane, index, ",\"as\":\"cancelled\"")
    case nil where !step.isAction && !["model", "begin", "end", "open", "state", "event"].contains(step.kind):
      let isKnown = ["answer", "error", "element"].contains(step.kind) && row.number != 0
      add(isKnown ? step.kind : "note", index, row, ",\"name\":\(quoted(step.label.isEmpty ? step.kind : step.label))")
    case nil: break
    }
  }

  /// Ends an action that hasn't ended.
  private mutating func end(_ lane: Int, _ step: Int, _ more: String) {
    let row = row(of: lanes[lane])
    if row.number > 0, ended.insert(lane).inserted { add("end", step, row, more) }
  }

  private mutating func add(_ kind: String, _ step: Int, _ row: Row, _ more: String = "") {
    if announced.insert([row.model, row.number]).inserted {
      add(row.number > 0 ? "action" : "source", step, row, ",\"value\":\(quoted(row.label))")
    }
    let numbers = "\"t\":\(Self.time(of: step)),\"m\":\(row.model),\"a\":\(row.number)"
    entries.append("{\"k\":\"\(kind)\",\(numbers)\(more)}")
  }
}
