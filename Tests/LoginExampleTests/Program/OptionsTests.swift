import Testing

@testable import LoginExample

struct OptionsTests {
  @Test(
    arguments: [
      ([], false, .seconds(1)),
      (["-h"], true, .seconds(1)),
      (["--latency", "0"], false, .zero),
      (["--latency", "9223372036854775807"], false, .milliseconds(Int64.max)),
      (["--latency", "1", "--latency", "2"], false, .milliseconds(2)),
      (["--help", "--latency", "5"], true, .milliseconds(5)),
    ] as [([String], Bool, Duration)])
  func validOptions(arguments: [String], wantsHelp: Bool, latency: Duration) throws {
    let options = try Options(arguments)
    #expect(options.wantsHelp == wantsHelp)
    #expect(options.latency == latency)
  }

  @Test(arguments: [
    (["--bogus"], "unknown option: --bogus"),
    (["admin"], "unknown option: admin"),
    (["--help", "yes"], "unknown option: yes"),
    (["--latency=5"], "unknown option: --latency=5"),
    (["--\u{1B}[31m\n\u{2028}"], "unknown option: --\u{FFFD}[31m\u{FFFD}\u{FFFD}"),
    (["--latency"], "--latency needs a number of milliseconds"),
    (["--latency", "--help"], "--latency needs a number of milliseconds"),
    (["--latency", "-1"], "--latency needs a number of milliseconds"),
    (["--latency", "1.5"], "--latency needs a number of milliseconds"),
    (["--latency", "9223372036854775808"], "--latency needs a number of milliseconds"),
  ])
  func invalidOptions(arguments: [String], message: String) {
    #expect(throws: Failure(exitCode: .badUsage, message: "\(message)\n\n\(usage)")) { try Options(arguments) }
  }
}
