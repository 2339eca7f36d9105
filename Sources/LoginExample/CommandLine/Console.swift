/// The input and output of the program: the standard streams, or those of a test.
protocol Console: Sendable {
  /// Whether both input and output are a terminal, with a person in front of it.
  var isInteractive: Bool { get }

  /// The environment variables that say what the terminal can do: `TERM`, `NO_COLOR`.
  var environment: [String: String] { get }

  /// Waits for input, and returns the bytes that have arrived, or none at the end. Called on one thread at a time.
  func readInput() -> [UInt8]

  /// Runs `body`. If the input is a terminal, it does not show the keys that the user types meanwhile.
  func hidingKeys<Result>(_ body: () -> Result) -> Result

  /// Writes all of `text` at once. Returns false if it can't be written. May be called from any thread.
  func print(_ text: String) -> Bool

  /// Writes a message that is not part of the output. May be called from any thread.
  func report(_ message: String)
}
