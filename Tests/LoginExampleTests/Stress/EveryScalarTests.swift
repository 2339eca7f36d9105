import Testing

@Suite(.stress) struct EveryScalarTests {
  // RFC 8259: another reader gets back every scalar there is.
  @Test func roundTrip() throws {
    try JSONValueTests.checkRoundTrip(of: 0...0x10FFFF)
  }
}
