import Dispatch

/// The lines that a console gives, for code that must not block.
///
/// Reading waits for whoever types; it does so on a queue of its own, not on a thread that other tasks need.
final class LineInput: @unchecked Sendable {  // Sendable: `reader` is touched on `queue` only.
  private let console: any Console
  private let hasPrompts: Bool
  private let queue = DispatchQueue(label: "LoginExample.input")
  private var reader: LineReader

  init(_ console: any Console, hasPrompts: Bool) {
    self.console = console
    self.hasPrompts = hasPrompts
    reader = LineReader(console.readInput)
  }

  /// The next line, or nil at the end of the input. The prompt is shown while waiting, the keys only if they may be.
  func ask(_ prompt: String, hidingKeys isHidden: Bool = false) async -> String? {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        // The keys are hidden before anybody is asked to type.
        let line = isHidden ? console.hidingKeys { ask(prompt) } : ask(prompt)
        continuation.resume(returning: line)
      }
    }
  }

  private func ask(_ prompt: String) -> String? {
    guard hasPrompts else { return reader.next() }
    _ = console.print(prompt)
    let line = reader.next()
    // What the terminal shows next begins a line, also after the end of the input.
    if line == nil { _ = console.print("\n") }
    return line
  }
}
