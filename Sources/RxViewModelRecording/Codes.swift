import RxViewModel

/// How a recorder writes values and errors, and reads them.
final class Codes: Sendable {
  private struct State {
    var redactions: [ObjectIdentifier: @Sendable (Any) -> Any] = [:]
    var errors: [ErrorCode] = []
  }

  private struct ErrorCode {
    let type: ObjectIdentifier
    let encode: @Sendable (any Error) -> String?
    let decode: @Sendable (String, JSON) -> (any Error)?
  }

  private let state = Lock(State())

  func redact<Value: Sendable>(_ type: Value.Type, _ redact: @escaping @Sendable (Value) -> Value) {
    let other = state.withLock { state in
      state.redactions.updateValue({ value in (value as? Value).map(redact) ?? value }, forKey: ObjectIdentifier(type))
    }
    withExtendedLifetime(other) {}
  }

  func add<Failure: Error & Codable>(_ type: Failure.Type) {
    let name = "\(type)"
    let code = ErrorCode(
      type: ObjectIdentifier(type),
      encode: { error in (error as? Failure).flatMap { try? "\"\(name)\"," + Coding.text(of: $0) } },
      decode: { type, json in type == name ? try? Coding.value(Failure.self, from: json) : nil })
    state.withLock { state in
      if !state.errors.contains(where: { $0.type == code.type }) { state.errors.append(code) }
    }
  }

  /// The value with what must not be recorded taken out.
  func redacted<Value>(_ value: Value) -> Value {
    guard let redact = state.withLock({ $0.redactions[ObjectIdentifier(Value.self)] }) else { return value }
    return redact(value) as? Value ?? value
  }

  /// The value as text. In place of a value that cannot be encoded, is larger than `bytes` or is nested too deep stands ``unrecorded``.
  func encode<Value: Encodable>(_ value: Value, within bytes: Int) -> String {
    guard let text = try? Coding.text(of: redacted(value)), text.utf8.count <= bytes,
      Coding.depth(of: text) <= Coding.deepest
    else {
      return Self.unrecorded
    }
    return text
  }

  func encode(_ error: any Error) -> String {
    for code in state.withLock({ $0.errors }) {
      if let text = code.encode(error) { return text }
    }
    let fields = [error is CancellationError ? "CancellationError" : "\(type(of: error))", "\(error)"]
    return fields.map { (try? Coding.text(of: $0)) ?? "\"\"" }.joined(separator: ",")
  }

  /// Stands in the place of a value that was not recorded.
  static let unrecorded = "{\"unrecorded\":true}"

  func decode<Value: Decodable>(_ type: Value.Type, _ json: JSON) throws -> Value {
    if json == .object(["unrecorded": .bool(true)]) { throw RecordedError(type: "Unrecorded", description: "\(type)") }
    return try Coding.value(type, from: json)
  }

  /// The error that a line has in its last two fields.
  func error(_ fields: [JSON]) -> any Error {
    let (type, json) = (fields.first?.string ?? "", fields.last ?? .null)
    if type == "CancellationError" { return CancellationError() }
    for code in state.withLock({ $0.errors }) {
      if let error = code.decode(type, json) { return error }
    }
    return RecordedError(type: type, description: json.string ?? "")
  }
}
