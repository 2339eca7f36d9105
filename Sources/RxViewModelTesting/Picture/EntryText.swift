import RxViewModel
import RxViewModelRecording

/// How a picture writes an entry.
extension Entry {
  var modelName: String { string(3).flatMap { $0.isEmpty ? nil : $0 } ?? string(4) ?? "" }

  /// The numbers of the actions in whose lanes the entry stands.
  var lanes: [Int] {
    switch kind {
    case .cancel: cancelled
    case .model, .begin, .middle, .resume, .pause, .call, .failure, .state, .end: []
    default: action.map { [$0] } ?? []
    }
  }

  var label: String {
    switch kind {
    case .again, .action, .own, .gone: text(at: 4)
    case .past, .latest, .answer, .value, .element, .opening: "\(string(4) ?? "") → \(text(at: 6))"
    case .thrown, .error, .failed: "\(string(4) ?? "") → \(string(6) ?? ""): \(text(at: 7))"
    case .open, .completed: string(4) ?? ""
    case .model: "\(modelName): \(string(4) ?? "")"
    default: ""
    }
  }

  private func text(at place: Int) -> String { (try? value(SwiftText?.self, at: place))??.text ?? "nil" }

  /// The state that the recording has here.
  var stateLines: [String]? {
    let isState = (kind == .model || kind == .state) && json(kind.place) != "null"
    return isState ? (try? value(SwiftText.self))?.lines : nil
  }
}

/// JSON as Swift would write it, as far as that can be told: `{"search":{"_0":"a"}}` is `search("a")`.
private struct SwiftText: Decodable, Sendable {
  let text: String
  /// What stands behind the name of a case with these values. Nil if they are none.
  private let arguments: String?
  /// The parts of a structure, each in a line.
  let lines: [String]

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let values = try? container.decode([String: SwiftText?].self) {
      lines = values.sorted { $0.key < $1.key }
        .map { ($0.key.hasPrefix("_") ? "" : "\($0.key): ") + ($0.value?.text ?? "nil") }
      let list = "(\(lines.joined(separator: ", ")))"
      arguments = values.isEmpty ? "" : list
      let (name, inner) = (values.first?.key, values.first?.value?.arguments)
      text = values.count == 1 && inner != nil ? name! + inner! : list
    } else {
      let list = (try? container.decode([SwiftText?].self)).map { $0.map { $0?.text ?? "nil" } }
      func value(_ type: (some Decodable).Type) -> String? { (try? container.decode(type)).map { "\($0)" } }
      text =
        try list.map { "[\($0.joined(separator: ", "))]" }
        ?? value(Bool.self) ?? value(Int.self) ?? value(Double.self) ?? "\"\(container.decode(String.self))\""
      (arguments, lines) = (nil, [text])
    }
  }
}
