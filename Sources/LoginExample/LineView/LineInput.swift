import Dispatch

/// The lines that a console gives, for code that must not block.
///
/// Reading waits for whoever types; it does so on a queue of its own, not on a thread that other tasks need.
final class LineInput: @unchecked Sendable {  // Sendable: `reader` is touched on `queue` only.
  private let console: any Console
  private let queue = DispatchQueue(label: "LoginExample.input")
  private var reader: LineReader

  init(_ console: any Console) {
    self.console = console
    reader = LineReader(console.readInput)
  }

  /// The next line, or nil at the end of the input.
  func nextLine(hidingKeys isHidden: Bool) async -> String? {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        let line = isHidden ? console.hidingKeys { reader.next() } : reader.next()
        continuation.resume(returning: line)
      }
    }
  }
}
