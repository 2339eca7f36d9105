/// The input and output of the program: the standard streams, or those of a test.
protocol Console: Sendable {
  /// Whether both input and output are a terminal, so that a person uses the program.
  var isInteractive: Bool { get }

  /// The environment variables that describe the terminal: `TERM`, `NO_COLOR`.
  var environment: [String: String] { get }

  /// Waits for input, and returns the bytes that have arrived, or none at the end. Called on one thread at a time.
  func readInput() -> [UInt8]

  /// Runs `body`. Meanwhile a terminal does not show the keys that the user types.
  func hidingKeys<Result>(_ body: () -> Result) -> Result

  /// Writes all of `text` at once. Returns false if writing fails. May be called from any thread.
  func print(_ text: String) -> Bool

  /// Writes a message that is not part of the output. May be called from any thread.
  func report(_ message: String)
}
