import Foundation
import RxViewModel

/// How a recorder keeps and writes values and errors, and how a test reads them.
package final class Codes: Sendable {
  private struct State {
    /// The newest redactions come first. A redaction returns nil for a value of another type.
    var redactions: [(type: ObjectIdentifier, apply: @Sendable (any Sendable) -> (any Sendable)?)] = []
    var errors: [any (Error & Codable).Type] = []
    var omissions: [ObjectIdentifier: @Sendable (any Sendable) -> Bool] = [:]
  }

  private let state = Lock(State())

  package init() { omit(Data.self) { $0.count > 65_536 } }

  func redact<Value: Sendable>(_ type: Value.Type, _ redact: @escaping @Sendable (Value) -> Value) {
    let id = ObjectIdentifier(type)
    let apply = { @Sendable (value: any Sendable) -> (any Sendable)? in
      let type = Swift.type(of: value)
      let isCovered = type == Value.self || type == Value?.self || Value.self is AnyClass
      return isCovered ? (value as? Value).map(redact) : nil
    }
    change { state in state.redactions = [(id, apply)] + state.redactions.filter { $0.type != id } }
  }

  func omit<Value: Sendable>(_ type: Value.Type, _ isOmitted: @escaping @Sendable (Value) -> Bool) {
    for id in [ObjectIdentifier(type), ObjectIdentifier(Value?.self)] {
      change { state in state.omissions[id] = { ($0 as? Value).map(isOmitted) ?? false } }
    }
  }

  /// The name of a type, in full if another registered one has the same, or that of the standard library.
  private func name(of type: any Error.Type) -> String {
    let others = state.withLock { $0.errors }.filter { $0 != type && "\($0)" == "\(type)" }
    let isOnly = others.isEmpty && ("\(type)" != "\(CancellationError.self)" || type == CancellationError.self)
    return isOnly ? "\(type)" : String(reflecting: type)
  }

  func add(_ type: any (Error & Codable).Type) {
    change { state in state.errors = state.errors.filter { $0 != type } + [type] }
  }

  /// Changes the state. The closures that it no longer has are released with no lock held.
  private func change(_ body: (inout State) -> Void) {
    let old = state.withLock { state in
      defer { body(&state) }
      return state
    }
    withExtendedLifetime(old) {}
  }

  /// What the recorder keeps of a value.
  func kept<Value: Sendable>(_ value: Value) -> any Sendable {
    let isOmitted = state.withLock { $0.omissions[ObjectIdentifier(Value.self)] }
    return isOmitted?(value) == true ? Omitted() : value
  }

  /// The value with what must not be recorded taken out.
  package func redacted<Value: Sendable>(_ value: Value) -> any Sendable {
    state.withLock { $0.redactions }.reduce(value) { value, redaction in redaction.apply(value) ?? value }
  }

  /// A question, or the text of an error, as a redaction of `String` changes it.
  package func text(_ text: String) -> String { redacted(text) as? String ?? text }

  /// The value as JSON. In place of a value that cannot be encoded, or is nested too deep, stands ``unrecorded``.
  package func json(of value: (any Sendable)?) -> String {
    value.map { (redacted($0) as? any Encodable).flatMap(Self.json) ?? Self.unrecorded } ?? "null"
  }

  /// A state as JSON, if its type is `Codable`, because a redaction could not change another one.
  func json(ofState state: (any Sendable)?) -> String { state is any Codable ? json(of: state) : "null" }

  private static func json(_ value: any Encodable) -> String? {
    (try? Coding.text(of: value)).flatMap { Entry.fields(of: "[\($0)]") == nil ? nil : $0 }
  }

  /// The value as a recording has it: redacted, encoded and decoded. Nil if it is not `Codable`.
  package func recorded<Value: Sendable>(_ value: Value) -> Value? {
    let json = json(of: value)
    guard let type = Value.self as? any Codable.Type, json != Self.unrecorded else { return nil }
    return try? Coding.decoder.decode(type, from: Data(json.utf8)) as? Value
  }

  /// The error or its description, and its type.
  func json(ofError error: any Error) -> [String] {
    let error = redacted(error) as? any Error ?? error
    for type in state.withLock({ $0.errors }) {
      if let error = Self.error(error, as: type) {
        return [Self.json(error) ?? Self.unrecorded, Coding.quoted(name(of: type))]
      }
    }
    return [Coding.quoted(text("\(error)")), Coding.quoted(name(of: type(of: error)))]
  }

  private static func error<Failure: Encodable>(_ error: any Error, as type: Failure.Type) -> (any Encodable)? {
    error as? Failure
  }

  /// The error of an entry, which has its type as the last field. Throws if it cannot be decoded.
  package func error(_ entry: Entry) throws -> any Error {
    let type = entry.string(7) ?? ""
    if type == "CancellationError" { return CancellationError() }
    let known = state.withLock { $0.errors }.lazy.filter { self.name(of: $0) == type }
    return try known.compactMap { try? entry.value($0) }.first
      ?? RecordedError(type: type, description: entry.value(String.self))
  }

  /// Stands in the place of a value that was not recorded.
  package static let unrecorded = "{\"unrecorded\":true}"
  private struct Omitted {}
}

/// Makes texts from values, and values from texts. Not a number and the infinities are written as words.
package enum Coding {
  private static let encoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }()

  static let decoder = {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }()

  package static func text(of value: some Encodable) throws -> String {
    String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// Writes a file. Returns whether that was possible.
  package static func write(_ text: String, to path: String) -> Bool {
    (try? text.write(toFile: path, atomically: true, encoding: .utf8)) != nil
  }

  /// The texts of the files in a folder whose names end in `suffix`, in the order of their names. Nil if it is no folder.
  package static func texts(in folder: String, suffix: String) -> [(name: String, text: String)]? {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(suffix) }.sorted()
    return names?.map { ($0, (try? String(contentsOfFile: folder + "/" + $0, encoding: .utf8)) ?? "") }
  }

  package static func address(ofFile path: String) -> String { URL(fileURLWithPath: path).absoluteString }

  static func quoted(_ text: String) -> String { (try? Self.text(of: text)) ?? "\"\"" }
}

/// The answer of a service that returns nothing. Can be decoded from every value.
struct Nothing: Codable {}
