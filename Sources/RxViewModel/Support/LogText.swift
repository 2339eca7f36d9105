/// The text of a value in a log: Swift's description, but the same in each run.
///
/// Sets and dictionaries are sorted. An object is written as its type, unless it describes itself without its address. Types are not
/// qualified, because the qualified name of a local type has an address in it.
@usableFromInline
package func logText(of value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  switch mirror.displayStyle {
  case .optional:
    return mirror.children.first.map { logText(of: $0.value) } ?? "nil"
  case .collection:
    return "[\(mirror.children.map { logText(of: $0.value) }.joined(separator: ", "))]"
  case .set:
    return "[\(mirror.children.map { logText(of: $0.value) }.sorted().joined(separator: ", "))]"
  case .dictionary:
    let pairs = mirror.children.map { pair in
      Mirror(reflecting: pair.value).children.map { logText(of: $0.value) }.joined(separator: ": ")
    }
    return pairs.isEmpty ? "[:]" : "[\(pairs.sorted().joined(separator: ", "))]"
  default:
    return describedText(of: value, mirror) ?? structuralText(of: value, mirror)
  }
}

/// The value's own description. Nil if it has none, or if it contains an address.
private func describedText(of value: Any, _ mirror: Mirror) -> String? {
  switch value {
  case let text as any StringProtocol: return String(reflecting: String(text))
  case let character as Character: return String(reflecting: character)
  case let value as any CustomStringConvertible:
    let text = value.description
    return mirror.displayStyle == .class && text.contains("0x") ? nil : text
  default: return nil
  }
}

/// The description that Swift derives from a value's structure.
private func structuralText(of value: Any, _ mirror: Mirror) -> String {
  let type = "\(type(of: value))"
  switch mirror.displayStyle {
  case .struct: return "\(type)(\(fields(of: mirror)))"
  case .tuple: return "(\(fields(of: mirror)))"
  case .enum:
    guard let (name, payload) = mirror.children.first.map({ ($0.label ?? "", $0.value) }) else { return "\(value)" }
    let payloads = Mirror(reflecting: payload)
    let text = payloads.displayStyle == .tuple ? fields(of: payloads) : logText(of: payload)
    return "\(name)(\(text))"
  case .class: return type
  default: return "\(value)"
  }
}

private func fields(of mirror: Mirror) -> String {
  mirror.children.map { child in
    let label = child.label.map { $0.hasPrefix(".") ? "" : "\($0): " } ?? ""
    return label + logText(of: child.value)
  }.joined(separator: ", ")
}
