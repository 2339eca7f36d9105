/// The program's options, as given by its arguments.
struct Options: Sendable, Equatable {
  var wantsHelp = false
  var format = LineFormat.text
  var latency = Duration.milliseconds(1000)
}

extension Options {
  /// The reason why the arguments are invalid, as a sentence.
  struct Problem: Error, Equatable {
    let message: String
  }

  /// Reads the arguments after the program's name. If an option is given twice, the last one counts.
  init(_ arguments: [String]) throws(Problem) {
    var remaining = arguments[...]
    while let argument = remaining.popFirst() {
      switch argument {
      case "--help", "-h":
        wantsHelp = true
      case "--json":
        format = .json
      case "--latency":
        guard let value = remaining.popFirst() else {
          throw Problem(message: "--latency needs a number of milliseconds")
        }
        latency = try Self.latency(value)
      case _ where argument.hasPrefix("--latency="):
        latency = try Self.latency(String(argument.dropFirst("--latency=".count)))
      default:
        throw Problem(message: "unknown option: \(argument.printable)")
      }
    }
  }

  private static func latency(_ text: String) throws(Problem) -> Duration {
    guard let milliseconds = Int64(text), milliseconds >= 0 else {
      throw Problem(message: "not a number of milliseconds: \(text.printable)")
    }
    return .milliseconds(milliseconds)
  }
}
