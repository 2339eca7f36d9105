import Testing

@testable import LoginExample

@Suite struct OptionsTests {
  @Test func defaults() throws {
    #expect(try Options([]) == Options(wantsHelp: false, latency: .seconds(1)))
  }

  @Test(arguments: [
    (["--help"], Options(wantsHelp: true)),
    (["-h"], Options(wantsHelp: true)),
    (["--latency", "0"], Options(latency: .zero)),
    (["--latency", "250"], Options(latency: .milliseconds(250))),
    (["--latency", "9223372036854775807"], Options(latency: .milliseconds(Int64.max))),
    (["--latency", "1", "--latency", "2"], Options(latency: .milliseconds(2))),
    (["--help", "--latency", "5"], Options(wantsHelp: true, latency: .milliseconds(5))),
  ])
  func validOptions(arguments: [String], expected: Options) throws {
    #expect(try Options(arguments) == expected)
  }

  @Test(arguments: [
    (["--bogus"], "unknown option: --bogus"),
    (["-x"], "unknown option: -x"),
    ([""], "unknown option: "),
    (["admin"], "unknown option: admin"),
    (["--help", "yes"], "unknown option: yes"),
    (["--latency=5"], "unknown option: --latency=5"),
    (["--help", "--bogus"], "unknown option: --bogus"),
    (["--\u{1B}[31m"], "unknown option: --\u{FFFD}[31m"),
    (["--latency"], "--latency needs a number of milliseconds"),
    (["--latency", ""], "--latency needs a number of milliseconds"),
    (["--latency", "soon"], "--latency needs a number of milliseconds"),
    (["--latency", "--help"], "--latency needs a number of milliseconds"),
    (["--latency", "-1"], "--latency needs a number of milliseconds"),
    (["--latency", "1.5"], "--latency needs a number of milliseconds"),
    (["--latency", "10ms"], "--latency needs a number of milliseconds"),
    (["--latency", " 1"], "--latency needs a number of milliseconds"),
    (["--latency", "9223372036854775808"], "--latency needs a number of milliseconds"),
  ])
  func invalidOptions(arguments: [String], message: String) {
    #expect(throws: Failure(exitCode: .badUsage, message: "\(message)\n\n\(usage)")) { try Options(arguments) }
  }
}
