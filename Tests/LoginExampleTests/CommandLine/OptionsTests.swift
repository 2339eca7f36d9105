import Testing

@testable import LoginExample

@Suite struct OptionsTests {
  @Test func defaults() throws {
    #expect(try Options([]) == Options(wantsHelp: false, isJSON: false, latency: .seconds(1)))
  }

  @Test(arguments: [
    (["--json"], Options(isJSON: true)),
    (["--help"], Options(wantsHelp: true)),
    (["-h"], Options(wantsHelp: true)),
    (["--latency", "0"], Options(latency: .zero)),
    (["--latency", "250"], Options(latency: .milliseconds(250))),
    (["--latency=250"], Options(latency: .milliseconds(250))),
    (["--latency", "9223372036854775807"], Options(latency: .milliseconds(Int64.max))),
    (["--latency", "1", "--latency", "2"], Options(latency: .milliseconds(2))),
    (["--json", "--latency", "5"], Options(isJSON: true, latency: .milliseconds(5))),
    (["--latency", "5", "--json", "--help"], Options(wantsHelp: true, isJSON: true, latency: .milliseconds(5))),
  ])
  func validOptions(arguments: [String], expected: Options) throws {
    #expect(try Options(arguments) == expected)
  }

  @Test(arguments: [
    (["--bogus"], "unknown option: --bogus"),
    (["-x"], "unknown option: -x"),
    ([""], "unknown option: "),
    (["admin"], "unknown option: admin"),
    (["--json", "yes"], "unknown option: yes"),
    (["--json=yes"], "unknown option: --json=yes"),
    (["--help", "--bogus"], "unknown option: --bogus"),
    (["--\u{1B}[31m"], "unknown option: --\u{FFFD}[31m"),
    (["--latency"], "--latency needs a number of milliseconds"),
    (["--latency", ""], "not a number of milliseconds: "),
    (["--latency="], "not a number of milliseconds: "),
    (["--latency", "soon"], "not a number of milliseconds: soon"),
    (["--latency", "--json"], "not a number of milliseconds: --json"),
    (["--latency", "-1"], "not a number of milliseconds: -1"),
    (["--latency", "1.5"], "not a number of milliseconds: 1.5"),
    (["--latency", "10ms"], "not a number of milliseconds: 10ms"),
    (["--latency", " 1"], "not a number of milliseconds:  1"),
    (["--latency", "9223372036854775808"], "not a number of milliseconds: 9223372036854775808"),
  ])
  func invalidOptions(arguments: [String], message: String) {
    #expect(throws: Failure(exitCode: .badUsage, message: "\(message)\n\n\(usage)")) { try Options(arguments) }
  }
}
