import Dispatch

/// Reads lines from a console, for code that must not block.
///
/// Reading waits for the user. It waits on a queue of its own, and not on a thread that other tasks need.
final class LineInput: @unchecked Sendable {  // Sendable: `reader` is touched on `queue` only.
  private let console: any Console
  private let hasPrompts: Bool
  private let print: @Sendable (String) -> Bool
  private let queue = DispatchQueue(label: "LoginExample.input")
  private var reader: LineReader

  /// Makes the input of a console.
  ///
  /// - Parameter print: Shows a prompt. Returns false if that fails; the input then reads nothing.
  init(_ console: any Console, hasPrompts: Bool, print: @escaping @Sendable (String) -> Bool) {
    self.console = console
    self.hasPrompts = hasPrompts
    self.print = print
    reader = LineReader(console.readInput)
  }

  /// Calls `answer` with the next line, or with nil at the end of the input.
  ///
  /// Shows the prompt while it waits. Shows the keys that the user types, unless `isHidden`.
  func ask(_ prompt: String, hidingKeys isHidden: Bool = false, answer: @escaping @Sendable (String?) -> Void) {
    queue.async { [self] in
      // The console hides the keys before the prompt asks the user to type.
      answer(isHidden ? console.hidingKeys { ask(prompt) } : ask(prompt))
    }
  }

  private func ask(_ prompt: String) -> String? {
    guard hasPrompts else { return reader.next() }
    guard print(prompt) else { return nil }
    let line = reader.next()
    // Makes sure that the terminal's next text begins a line, also at the end of the input.
    if line == nil { _ = print("\n") }
    return line
  }
}
