import RxViewModel

/// The lines of two values, in the form of `dump`: those that differ, and at most three of both values around them. A `-` marks the lines
/// that only `first` has, and a `+` those that only `second` has.
///
/// - Parameter most: The most elements of a collection that count.
func differences<Value>(_ first: Value, _ second: Value, most: Int = .max) -> [String] {
  let (old, new) = (dumpLines(of: first, most: most), dumpLines(of: second, most: most))
  if old == new {
    return ["  (they differ in something that isn't shown here)"] + old.prefix(100).map { "  \($0)" }
  }
  let difference = Difference(from: old.count, to: new.count) { old[$0] == new[$1] }
  return difference.text(shortensAbove: 0, old: { old[$0] }, new: { new[$0] })
}

/// The lines of a value, in the form of `dump`. Of a collection, the first elements.
func dumpLines(of value: Any, most: Int = .max) -> [String] { StateDump(of: value, most: most).lines }

/// The lines that differ between two errors, if these are not equal although they print the same text. Otherwise empty.
func hiddenDifferences(_ first: (any Error)?, _ second: (any Error)?) -> [String] {
  guard let first, let second, "\(first)" == "\(second)", !areEqual(first, second) else { return [] }
  return differences(first, second)
}

/// The structure of a value, line by line.
///
/// In the form of `dump`, but: types are not qualified; an optional is its value, or nil; sets and dictionaries are sorted; a duration is
/// in seconds; a value of this library shows its public properties, or only its type.
private struct StateDump {
  private(set) var lines: [String] = []
  private var objects: [ObjectIdentifier: Int] = [:]
  private let most: Int

  init(of value: Any, most: Int) {
    self.most = most
    add(value, "", indentation: 0)
  }

  /// - Parameter name: The text in front of the value.
  private mutating func add(_ value: Any, _ name: String, indentation: Int) {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional, let wrapped = mirror.children.first?.value {
      return add(wrapped, name, indentation: indentation)
    }
    var (title, children) = (title(of: value, mirror), children(of: value, mirror))
    if type(of: value) is AnyClass, !children.isEmpty {
      let id = ObjectIdentifier(value as AnyObject)
      if objects[id] != nil { children = [] }
      title += " #\(objects[id] ?? objects.count)"
      objects[id] = objects[id] ?? objects.count
    }
    let margin = String(repeating: " ", count: indentation)
    let text = "\(margin)\(children.isEmpty ? "-" : "▿") \(name)\(title)"
    lines += text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (name, child) in children { add(child, name, indentation: indentation + 2) }
  }

  private func title(of value: Any, _ mirror: Mirror) -> String {
    func counted(_ singular: String, _ plural: String) -> String {
      mirror.children.count == 1 ? "1 \(singular)" : "\(mirror.children.count) \(plural)"
    }
    switch mirror.displayStyle {
    case .optional: return "nil"
    case .tuple: return "(\(counted("element", "elements")))"
    case .collection: return counted("element", "elements")
    case .set: return counted("member", "members")
    case .dictionary: return counted("key/value pair", "key/value pairs")
    default: break
    }
    if isOfThisLibrary(mirror.subjectType), !(value is any CustomStringConvertible) { return "\(mirror.subjectType)" }
    switch value {
    case let value as any CustomDebugStringConvertible: return value.debugDescription
    case let value as any CustomStringConvertible: return value.description
    default:
      return mirror.displayStyle == .enum
        ? "\(mirror.subjectType).\(caseName(of: value, mirror))" : "\(mirror.subjectType)"
    }
  }

  private func caseName(of value: Any, _ mirror: Mirror) -> String {
    mirror.children.first?.label ?? "\(value)"
  }

  private func children(of value: Any, _ mirror: Mirror) -> [(name: String, value: Any)] {
    if value is Duration { return [] }
    if isOfThisLibrary(mirror.subjectType) {
      return (value as? any LibraryValue)?.properties.map { ("\($0.key): ", $0.value) } ?? []
    }
    let inherited = mirror.superclassMirror.map { children(of: value, $0) } ?? []
    let own = mirror.children.prefix(most).map { (name: $0.label.map { "\($0): " } ?? "", value: $0.value) }
    switch mirror.displayStyle {
    case .set: return own.sorted { logText(of: $0.value) < logText(of: $1.value) }
    case .dictionary:
      return own.map { child in
        let pair = Mirror(reflecting: child.value).children.map(\.value)
        return pair.count == 2 ? (name: "\(logText(of: pair[0])): ", value: pair[1]) : child
      }.sorted { $0.name < $1.name }
    default: return inherited + own
    }
  }
}

private func isOfThisLibrary(_ type: Any.Type) -> Bool {
  ["RxViewModel", "RxViewModelTesting"].contains(String(reflecting: type).prefix { $0 != "." })
}

/// A value of the library that holds values of the user's.
private protocol LibraryValue {
  var properties: KeyValuePairs<String, Any> { get }
}

extension Page: LibraryValue {
  fileprivate var properties: KeyValuePairs<String, Any> { ["items": items, "next": next as Any] }
}

extension PageRequest: LibraryValue {
  fileprivate var properties: KeyValuePairs<String, Any> { ["parameters": parameters, "cursor": cursor as Any] }
}

extension Pages: LibraryValue {
  fileprivate var properties: KeyValuePairs<String, Any> {
    ["items": items, "pageCount": pageCount, "error": error as Any, "next": nextRequest as Any]
  }
}

extension SectionModel: LibraryValue {
  fileprivate var properties: KeyValuePairs<String, Any> { ["model": model, "items": items] }
}
