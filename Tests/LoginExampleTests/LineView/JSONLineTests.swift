import Foundation
import Testing

@testable import LoginExample

@Suite struct JSONLineTests {
  // RFC 8259: every kind of value.
  @Test func values() throws {
    let line = jsonLine("state", ["null": NSNull(), "true": true, "number": UInt64.max, "object": ["string": "x/y"]])
    #expect(
      line == #"{"null":null,"number":18446744073709551615,"object":{"string":"x/y"},"stream":"state","true":true}"#)
  }

  // The line escapes every character that ends a line or controls a terminal.
  @Test func escapes() {
    let escaped = #"{"a":"\"\\\u007f\u0085\u009b\u2028\u2029é😀","stream":""}"#
    #expect(jsonLine("", ["a": "\"\\\u{7F}\u{85}\u{9B}\u{2028}\u{2029}é😀"]) == escaped)
  }

  // RFC 8259: a JSON decoder returns every scalar. These take one or two bytes; `EveryScalarTests` has all of them.
  @Test func roundTrip() throws {
    try Self.checkRoundTrip(of: 0...0x7FF)
  }

  static func checkRoundTrip(of scalars: ClosedRange<UInt32>) throws {
    var string = ""
    string.unicodeScalars.append(contentsOf: scalars.lazy.compactMap(Unicode.Scalar.init))
    let text = jsonLine("", ["a": string])
    let read = try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
    #expect(try #require(read["a"]).unicodeScalars.elementsEqual(string.unicodeScalars))
    #expect(!text.unicodeScalars.contains { $0.isSteering })
  }
}
