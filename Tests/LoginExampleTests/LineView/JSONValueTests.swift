import Foundation
import Testing

@testable import LoginExample

@Suite struct JSONValueTests {
  // RFC 8259: each kind of value, members in their order.
  @Test func values() {
    let value = JSONValue.object([
      ("null", .null), ("true", .bool(true)), ("false", .bool(false)), ("number", .number(-12)), ("string", "x"),
      ("object", .object([])),
    ])
    #expect(value.text == #"{"null":null,"true":true,"false":false,"number":-12,"string":"x","object":{}}"#)
  }

  // RFC 8259: quotes, backslashes and control characters are escaped; so is all that a reader may take for a line's end.
  @Test func escapes() {
    #expect(JSONValue.string("a\"b\\c/é😀").text == #""a\"b\\c/é😀""#)
    #expect(JSONValue.string("\0\n\r\t\u{1B}\u{7F}").text == #""\u0000\u000a\u000d\u0009\u001b\u007f""#)
    #expect(JSONValue.string("\u{85}\u{2028}\u{2029}").text == #""\u0085\u2028\u2029""#)
    #expect(JSONValue.object([("a\"", .null)]).text == #"{"a\"":null}"#)
  }

  // RFC 8259: another reader gets back every scalar, here those of one and of two bytes.
  @Test func roundTrip() throws {
    try Self.checkRoundTrip(of: 0...0x7FF)
  }

  static func checkRoundTrip(of scalars: ClosedRange<UInt32>) throws {
    var string = ""
    string.unicodeScalars.append(contentsOf: scalars.lazy.compactMap(Unicode.Scalar.init))
    let text = JSONValue.string(string).text
    let read = try JSONDecoder().decode(String.self, from: Data(text.utf8))
    #expect(read.unicodeScalars.elementsEqual(string.unicodeScalars))
    #expect(!text.contains { $0.isNewline })
  }
}
