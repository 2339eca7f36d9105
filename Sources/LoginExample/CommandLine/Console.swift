/// Where the program reads and writes: the standard streams, or a test's.
protocol Console: Sendable {
  /// Whether a person sits at both ends, input and output.
  var isInteractive: Bool { get }

  /// The environment that says what the terminal can do: `TERM`, `NO_COLOR`.
  var environment: [String: String] { get }

  /// Waits for input and returns what there is of it; nothing at the end. Called on one thread at a time.
  func readInput() -> [UInt8]

  /// Runs `body`, in which the keys typed are not shown if the input is a terminal.
  func hidingKeys<Result>(_ body: () -> Result) -> Result

  /// Writes all of `text` at once. False if it can't be written. May be called from any thread.
  func print(_ text: String) -> Bool

  /// Writes a message that is not part of the output. May be called from any thread.
  func report(_ message: String)
}
