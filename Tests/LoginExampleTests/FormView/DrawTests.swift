import Testing

@testable import LoginExample

@MainActor
@Suite struct DrawTests {
  private let console = ScriptedConsole([], isInteractive: true, environment: ["TERM": "xterm"])

  // What erases to the end of the line would erase the last character of one that fills the window.
  @Test func linesAsWideAsTheWindowStayWhole() throws {
    let (screen, emulation) = (try #require(TerminalScreen(console)), ScreenEmulation(columns: 5))
    screen.draw(["12345", "12345", "12345"])
    emulation.show(console.output.utf8)
    #expect(emulation.lines == ["12345", "12345", "12345"])
  }

  @Test func nothingIsLeftOfTheFrameBefore() throws {
    let (screen, emulation) = (try #require(TerminalScreen(console)), ScreenEmulation(columns: 5))
    screen.draw(["12345", "12345", "12345"])
    screen.draw(["a", ""])
    emulation.show(console.output.utf8)
    #expect(emulation.lines == ["a", ""])
  }
}
