import Foundation

/// A value of a recording's text, before it is known which type it has.
package enum JSON: Codable, Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  /// Above the largest `Int`: the second half of a `Duration` is such a number.
  case unsigned(UInt64)
  case number(Double)
  /// With more digits than a `Double` has.
  case decimal(Decimal)
  case text(String)
  case array([JSON])
  case object([String: JSON])

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .unsigned(value)
    } else if let value = try? container.decode(String.self) {
      // Before a number: the decoder takes "nan" and "inf" for one.
      self = .text(value)
    } else if let value = try? container.decode(Double.self) {
      let exact = 1e-90...1e90 ~= abs(value) ? try? container.decode(Decimal.self) : nil
      self = if let exact, exact != Decimal(string: "\(value)") { .decimal(exact) } else { .number(value) }
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .decimal(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }

  package var integer: Int? { if case .integer(let value) = self { value } else { nil } }
  package var string: String? { if case .text(let value) = self { value } else { nil } }
  package var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
}

/// Makes texts from values, and values from texts. Not a number and the infinities are written as words.
enum Coding {
  /// One for all, because making one costs more than encoding a small value.
  private static let encoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }()

  static func text(of value: some Encodable) throws -> String {
    String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// How deep a value's arrays and objects may be nested. The decoder takes stack for each level.
  static let deepest = 100

  /// How deep the arrays and objects of a JSON text are nested. O(n).
  static func depth(of text: String) -> Int {
    var (depth, deepest) = (0, 0)
    var (isInString, isEscaped) = (false, false)
    for byte in text.utf8 {
      if isEscaped {
        isEscaped = false
        continue
      }
      switch byte {
      case UInt8(ascii: "\\"): isEscaped = isInString
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        if !isInString { (depth, deepest) = (depth + 1, max(deepest, depth + 1)) }
      case UInt8(ascii: "]"), UInt8(ascii: "}"): if !isInString { depth -= 1 }
      default: break
      }
    }
    return deepest
  }

  static func value<Value: Decodable>(_ type: Value.Type, from json: JSON) throws -> Value {
    try value(type, from: try JSONEncoder().encode(json))
  }

  static func value<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try decoder.decode(type, from: data)
  }
}
