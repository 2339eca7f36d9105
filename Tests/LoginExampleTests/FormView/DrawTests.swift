import Testing

@testable import LoginExample

@Suite struct DrawTests {
  private let emulation = ScreenEmulation(columns: 5)

  // A form that erased the rest of a line after writing it would erase the last character of a line that fills the window.
  @Test func linesAsWideAsTheWindowKeepTheirLastCharacter() {
    emulation.show(frame(["12345", "12345", "12345"]).utf8)
    #expect(emulation.lines == ["12345", "12345", "12345"])
  }

  @Test func aFrameErasesThePreviousOne() {
    emulation.show(frame(["12345", "12345", "12345"]).utf8)
    emulation.show(frame(["a", ""]).utf8)
    #expect(emulation.lines == ["a", ""])
  }
}
