import RxViewModel
import RxViewModelRecording

/// How a picture writes an entry.
extension Entry {
  var modelName: String { name.isEmpty ? string(6) ?? "" : name }

  /// The numbers of the actions in whose lanes the entry stands.
  var lanes: [Int] { kind == .cancel ? cancelled : action.map { [$0] } ?? [] }

  var label: String {
    switch kind {
    case .action, .own: valueText
    case .answer, .value, .element: "\(string(5) ?? "") → \(valueText)"
    case .error: "\(string(5) ?? "") → \(string(7) ?? ""): \(valueText)"
    case .open, .completed: string(5) ?? ""
    case .model: "\(modelName): \(string(6) ?? "")"
    default: ""
    }
  }

  private var valueText: String { (try? value(SwiftText?.self))??.text ?? "nil" }

  /// The state that the recording has here.
  var stateLines: [String]? {
    let isState = (kind == .model || kind == .state) && !isEmpty
    return isState ? (try? value(SwiftText.self))?.lines : nil
  }
}

/// JSON as Swift would write it, as far as that can be told: `{"search":{"_0":"a"}}` is `search("a")`.
private struct SwiftText: Decodable, Sendable {
  let text: String
  /// The parts of an object. Nil for another value.
  private let parts: [String]?
  private let isCase: Bool
  /// The parts of an object, each in a line.
  var lines: [String] { isCase ? [text] : parts ?? [text] }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    func value<Value: Decodable>(_ type: Value.Type) -> Value? { try? container.decode(type) }
    func list(_ parts: [String]) -> String { "(\(parts.joined(separator: ", ")))" }
    if let values = value([String: SwiftText?].self) {
      let parts = values.sorted { $0.key < $1.key }
        .map { ($0.key.hasPrefix("_") ? "" : "\($0.key): ") + ($0.value?.text ?? "nil") }
      // A case of an enumeration is its name, with its values as an object.
      let arguments = values.count == 1 ? values.first?.value?.parts : nil
      text = arguments.map { values.first!.key + ($0.isEmpty ? "" : list($0)) } ?? list(parts)
      (self.parts, isCase) = (parts, arguments != nil)
    } else {
      (parts, isCase) = (nil, false)
      let elements = value([SwiftText?].self)?.map { $0?.text ?? "nil" }
      text =
        try elements.map { "[\($0.joined(separator: ", "))]" } ?? value(Bool.self).map { "\($0)" }
        ?? value(Int.self).map { "\($0)" } ?? value(Double.self).map { "\($0)" }
        ?? "\"\(container.decode(String.self))\""
    }
  }
}
