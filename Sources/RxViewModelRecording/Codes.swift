import Foundation
import RxViewModel

/// How a recorder keeps and writes values and errors, and how a test reads them.
package final class Codes: Sendable {
  private typealias Redaction = (
    type: ObjectIdentifier, isClass: Bool, apply: @Sendable (any Sendable) -> (any Sendable)?
  )
  private typealias ErrorCode = (
    name: String, encode: @Sendable (any Error) -> String?, decode: @Sendable (Entry) -> (any Error)?
  )

  private struct State {
    var redactions: [Redaction] = []
    var errors: [ErrorCode] = []
    var omissions: [ObjectIdentifier: @Sendable (any Sendable) -> Bool] = [:]
  }

  private let state = Lock(State())

  package init() {
    omit(Data.self) { $0.count > 65_536 }
  }

  func redact<Value: Sendable>(_ type: Value.Type, _ redact: @escaping @Sendable (Value) -> Value) {
    let id = ObjectIdentifier(type)
    let redaction: Redaction = (id, type is AnyClass, { ($0 as? Value).map(redact) })
    change { state in state.redactions = [redaction] + state.redactions.filter { $0.type != id } }
  }

  func omit<Value: Sendable>(_ type: Value.Type, _ isOmitted: @escaping @Sendable (Value) -> Bool) {
    change { state in state.omissions[ObjectIdentifier(type)] = { ($0 as? Value).map(isOmitted) ?? false } }
  }

  func add<Failure: Error & Codable>(_ type: Failure.Type) {
    let name = "\(type)"
    let code: ErrorCode = (
      name, { ($0 as? Failure).flatMap { try? Coding.text(of: $0) } }, { try? $0.value(Failure.self) }
    )
    change { state in state.errors = state.errors.filter { $0.name != name } + [code] }
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
    let redactions = state.withLock { $0.redactions }
    if redactions.isEmpty { return value }
    let type = ObjectIdentifier(Swift.type(of: value as any Sendable))
    for redaction in redactions where redaction.type == type || redaction.isClass {
      if let value = redaction.apply(value) { return value }
    }
    return value
  }

  /// A question, or the text of an error, as a redaction of `String` changes it.
  package func text(_ text: String) -> String { redacted(text) as? String ?? text }

  /// The value as JSON. In place of a value that cannot be encoded, or is nested too deep, stands ``unrecorded``.
  package func json(of value: (any Sendable)?) -> String {
    guard let value else { return "null" }
    let text = (redacted(value) as? any Encodable).flatMap { try? Coding.text(of: $0) }
    return text.flatMap { Entry.fields(of: "[\($0)]") == nil ? nil : $0 } ?? Self.unrecorded
  }

  /// The value as a recording has it: redacted, encoded and decoded. Nil if it is not `Codable`.
  package func recorded<Value: Sendable>(_ value: Value) -> Value? {
    guard let type = Value.self as? any Codable.Type else { return nil }
    return try? Coding.decoder.decode(type, from: Data(json(of: value).utf8)) as? Value
  }

  /// The type of an error, and the error or its description.
  func json(ofError error: any Error) -> String {
    let error = redacted(error) as? any Error ?? error
    for code in state.withLock({ $0.errors }) {
      if let text = code.encode(error) { return Coding.quoted(code.name) + "," + text }
    }
    let name = error is CancellationError ? "CancellationError" : "\(type(of: error))"
    return Coding.quoted(name) + "," + Coding.quoted(text("\(error)"))
  }

  /// The error of an entry, which has its type and itself as the last two fields.
  package func error(_ entry: Entry) -> any Error {
    let type = entry.string(entry.kind.place - 1) ?? ""
    if type == "CancellationError" { return CancellationError() }
    let code = state.withLock { $0.errors }.first { $0.name == type }
    return code?.decode(entry) ?? RecordedError(type: type, description: (try? entry.value(String.self)) ?? "")
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

  static func quoted(_ text: String) -> String { (try? Self.text(of: text)) ?? "\"\"" }
}
