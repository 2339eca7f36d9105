import Foundation

@testable import LoginExample

/// A console with its input written beforehand, which remembers what it was given.
final class ScriptedConsole: Console, @unchecked Sendable {  // Sendable: the lock.
  let isInteractive: Bool
  let environment: [String: String]
  private let lock = NSLock()
  private var input: [[UInt8]]
  private var written: [String] = []
  private var messages: [String] = []
  private var hidden: [[UInt8]] = []
  private var isHiding = false
  private let printLimit: Int

  /// A console that gives `input` chunk by chunk, and that can't print any more after `printLimit` times.
  init(
    _ input: [[UInt8]], isInteractive: Bool = false, environment: [String: String] = ["TERM": "dumb"],
    printLimit: Int = .max
  ) {
    self.input = input
    self.isInteractive = isInteractive
    self.environment = environment
    self.printLimit = printLimit
  }

  convenience init(_ input: String, isInteractive: Bool = false, printLimit: Int = .max) {
    self.init([Array(input.utf8)], isInteractive: isInteractive, printLimit: printLimit)
  }

  /// All that was printed.
  var output: String {
    lock.withLock { written.joined() }
  }

  /// What was printed, one element a call.
  var prints: [String] {
    lock.withLock { written }
  }

  /// The lines printed, each of which has to end.
  var lines: [String] {
    var lines = output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    precondition(lines.removeLast().isEmpty, "the last line does not end")
    return lines
  }

  /// What went to standard error.
  var errors: String {
    lock.withLock { messages.joined() }
  }

  /// What was read while the keys were hidden.
  var hiddenInput: [String] {
    lock.withLock { hidden.map { String(decoding: $0, as: UTF8.self) } }
  }

  func readInput() -> [UInt8] {
    lock.withLock {
      // No chunk is empty, that would be the end.
      while let first = input.first, first.isEmpty { input.removeFirst() }
      guard !input.isEmpty else { return [] }
      let chunk = input.removeFirst()
      if isHiding { hidden.append(chunk) }
      return chunk
    }
  }

  func hidingKeys<Result>(_ body: () -> Result) -> Result {
    lock.withLock { isHiding = true }
    defer { lock.withLock { isHiding = false } }
    return body()
  }

  func print(_ text: String) -> Bool {
    lock.withLock {
      guard written.count < printLimit else { return false }
      written.append(text)
      return true
    }
  }

  func report(_ message: String) {
    lock.withLock { messages.append(message) }
  }
}
