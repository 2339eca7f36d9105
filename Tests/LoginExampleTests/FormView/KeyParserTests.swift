import RxViewModelTesting
import Testing

@testable import LoginExample

@Suite struct KeyParserTests {
  private func keys(_ text: String) -> [Key] {
    var parser = KeyParser()
    return parser.parse(text.utf8) + parser.flush()
  }

  private static let sequences: [(String, [Key])] = [
    ("abc", [.text("abc")]), ("é日👍🏽", [.text("é日👍🏽")]), ("\t", [.next]), ("\u{1B}[Z", [.previous]),
    ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.previous, .next, .next, .previous]),
    ("\u{1B}[1;5A", [.previous]), ("\r", [.enter]), ("\n", [.enter]), ("\u{7F}\u{8}", [.backspace, .backspace]),
    ("\u{15}", [.clear]), ("\u{3}", [.leave]), ("\u{4}", [.leave]), ("\u{1B}", [.escape]),
    ("\u{1B}\u{1B}", [.escape, .escape]), ("a\u{1B}[5~b", [.text("ab")]), ("\u{1B}x", [.escape, .text("x")]),
    ("\u{1}\u{2}\u{1A}", []),
    ("\u{1B}[200~pa\r\nss\u{1B}[A\u{1B}[201~\r", [.text("pass[A"), .enter]), ("\u{1B}[200~\u{1B}[201~", []),
    ("\u{1B}[\u{1B}[B", [.next]),
    // The parser handles a control character everywhere, also inside an incomplete sequence, which it ends.
    ("\u{1B}\u{3}", [.escape, .leave]), ("\u{1B}\r", [.escape, .enter]), ("\u{1B}[\u{3}", [.leave]),
    ("\u{1B}[1;\t", [.next]), ("\u{1B}[\u{7F}", [.backspace]),
    ("\u{1B}[200~ab\u{1B}[20\u{3}", [.text("ab[20"), .leave]),
    ("\u{1B}[200~a\u{1B}\u{1B}[201~\t", [.text("a"), .next]),
    ("a\u{1B}日b", [.text("a"), .escape, .text("日b")]), ("\u{1B}[é", [.text("é")]),
  ]

  @Test(arguments: sequences)
  func wholeSequences(text: String, expected: [Key]) {
    #expect(keys(text) == expected)
  }

  // The keys do not depend on how the bytes are split.
  @Test(arguments: sequences)
  func splitSequences(text: String, expected: [Key]) {
    let bytes = Array(text.utf8)
    for cut in bytes.indices {
      var parser = KeyParser()
      let keys = parser.parse(bytes[..<cut]) + parser.parse(bytes[cut...]) + parser.flush()
      #expect(joined(keys) == expected)
    }
    var parser = KeyParser()
    #expect(joined(bytes.flatMap { parser.parse([$0]) } + parser.flush()) == expected)
  }

  private func joined(_ keys: [Key]) -> [Key] {
    keys.reduce(into: []) { keys, key in
      if case .text(let text) = key, case .text(let before)? = keys.last {
        keys[keys.count - 1] = .text(before + text)
      } else {
        keys.append(key)
      }
    }
  }

  @Test func bytesThatAreNotUTF8AreReplaced() {
    var parser = KeyParser()
    #expect(parser.parse([0xFF, 0x61, 0xC3, 0x28, 0xED, 0xA0, 0x80]).description.contains("a"))
    #expect(parser.parse(Array("ok".utf8)) == [.text("ok")])
    #expect(!parser.isUndecided)
  }

  @Test func anIncompleteCharacterWaitsForMoreBytes() {
    var parser = KeyParser()
    #expect(parser.parse([0xC3]) == [])
    #expect(!parser.isUndecided)
    #expect(parser.flush() == [])
    #expect(parser.parse([0xA9]) == [.text("é")])
  }

  @Test func anEscapeByteWaitsForMoreBytes() {
    var parser = KeyParser()
    #expect(parser.parse([0x1B]) == [])
    #expect(parser.isUndecided)
    #expect(parser.parse(Array("[A".utf8)) == [.previous])
    #expect(!parser.isUndecided)
    #expect(parser.parse(Array("\u{1B}[20".utf8)) == [])
    #expect(parser.flush() == [])
    #expect(parser.parse(Array("x".utf8)) == [.text("x")])
  }

  // For any input the parser does not trap or hang, it returns no control character as text, and it recognizes a plain key afterwards.
  @Test func randomBytes() {
    Self.parseRandomBytes(0..<100)
  }

  static func parseRandomBytes(_ seeds: Range<Int>) {
    for seed in seeds {
      var (random, parser) = (SplitMix64(seed: UInt64(seed)), KeyParser())
      let alphabet: [UInt8] = [
        0x1B, 0x5B, 0x4F, 0x7E, 0x32, 0x30, 0x31, 0x41, 0x0D, 0x09, 0xC3, 0xA9, 0xF0, 0x9F, 0xFF, 0x61, 0x7F,
      ]
      for _ in 0..<random.next() % 20 {
        let bytes = (0..<random.next() % 12).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }
        for case .text(let text) in parser.parse(bytes) + (random.next() % 3 == 0 ? parser.flush() : []) {
          let hasControls = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
          #expect(!hasControls && !text.isEmpty, "seed \(seed)")
        }
      }
      _ = parser.parse(Array("\u{1B}[201~".utf8))
      _ = parser.flush()
      #expect(parser.parse(Array("\t".utf8)) == [.next], "seed \(seed)")
    }
  }
}
