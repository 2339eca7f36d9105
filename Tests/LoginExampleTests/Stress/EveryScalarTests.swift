import Testing

@Suite(.stress) struct EveryScalarTests {
  // RFC 8259: a JSON decoder returns every Unicode scalar.
  @Test func roundTrip() throws {
    try JSONLineTests.checkRoundTrip(of: 0...0x10FFFF)
  }
}
