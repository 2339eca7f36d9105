import Dispatch

/// The lines that a console gives, for code that must not block.
///
/// Reading waits for whoever types; it does so on a queue of its own, not on a thread that other tasks need.
final class LineInput: @unchecked Sendable {  // Sendable: `reader` is touched on `queue` only.
  private let console: any Console
  private let hasPrompts: Bool
  private let print: @Sendable (String) -> Bool
  private let queue = DispatchQueue(label: "LoginExample.input")
  private var reader: LineReader

  /// - Parameter print: shows a prompt; false if it can't be shown, and then nothing is read.
  init(_ console: any Console, hasPrompts: Bool, print: @escaping @Sendable (String) -> Bool) {
    self.console = console
    self.hasPrompts = hasPrompts
    self.print = print
    reader = LineReader(console.readInput)
  }

  /// Answers with the next line, or nil at the end of the input. The prompt is shown while waiting, the keys only if they
  /// may be.
  func ask(_ prompt: String, hidingKeys isHidden: Bool = false, answer: @escaping @Sendable (String?) -> Void) {
    queue.async { [self] in
      // The keys are hidden before anybody is asked to type.
      answer(isHidden ? console.hidingKeys { ask(prompt) } : ask(prompt))
    }
  }

  private func ask(_ prompt: String) -> String? {
    guard hasPrompts else { return reader.next() }
    guard print(prompt) else { return nil }
    let line = reader.next()
    // What the terminal shows next begins a line, also after the end of the input.
    if line == nil { _ = print("\n") }
    return line
  }
}
