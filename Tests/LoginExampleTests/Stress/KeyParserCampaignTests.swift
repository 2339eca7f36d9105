import Testing

@testable import LoginExample

@Suite(.stress) struct KeyParserCampaignTests {
  // For any input the parser does not trap or hang, it returns no control character as text, and it recognizes a plain key afterwards.
  @Test func randomBytes() {
    KeyParserTests.parseRandomBytes(0..<2_000)
  }

  // The parser takes linear time. The test would take minutes if each read searched all of the earlier bytes.
  @Test func aLargePaste() {
    let text = String(repeating: "0123456789\u{1B}[20\r", count: 1 << 16)
    let bytes = Array("\u{1B}[200~\(text)\u{1B}[201~\t".utf8)
    var (parser, keys) = (KeyParser(), [Key]())
    for start in stride(from: 0, to: bytes.count, by: 1_000) {
      keys += parser.parse(bytes[start...].prefix(1_000))
    }
    #expect(keys == [.text(String(repeating: "0123456789[20", count: 1 << 16)), .next])
  }
}
