/// Reads a marble diagram character by character. Tracks the time, and checks the syntax.
///
/// Traps a mistake in a diagram with a sentence that quotes the diagram, in release builds too.
struct MarbleReader {
  /// A symbol at a moment of the diagram.
  enum Symbol: Equatable {
    case element(Character)
    case completion
    case error
    /// `^`
    case subscription
    /// `!`
    case disposal
  }

  private let diagram: String
  private let characters: [Character]
  private let frame: Duration
  private var time = Duration.zero
  /// The time at which the open bracket began.
  private var group: Duration?
  private(set) var symbols: [(time: Duration, symbol: Symbol)] = []

  init(_ diagram: String, frame: Duration) {
    self.diagram = diagram
    self.frame = frame
    characters = Array(diagram)
    var index = 0
    while index < characters.count {
      if let (duration, end) = passage(at: index) {
        if group != nil { fail("time passes inside a bracket") }
        time += duration
        index = end
      } else {
        read(characters[index])
        index += 1
      }
    }
    if group != nil { fail("a bracket is left open") }
  }

  func fail(_ mistake: String) -> Never {
    fatalError("marbles: \(mistake) in \(diagram)")
  }

  private mutating func read(_ character: Character) {
    switch character {
    case " ":
      return
    case "-":
      if group != nil { fail("time passes inside a bracket") }
    case "(":
      if group != nil { fail("a bracket inside a bracket") }
      group = time
    case ")":
      if group == nil { fail("no bracket is open") }
      group = nil
    case "|": add(.completion)
    case "#": add(.error)
    case "^": add(.subscription)
    case "!": add(.disposal)
    default: add(.element(character))
    }
    time += frame
  }

  private mutating func add(_ symbol: Symbol) {
    symbols.append((group ?? time, symbol))
  }

  /// Reads a duration such as `25ms`, `1.5s` or `2m`, and returns it with its end; nil if there is none. Spaces, or the ends of the
  /// diagram, must surround a duration, to distinguish it from elements.
  private func passage(at start: Int) -> (Duration, end: Int)? {
    guard start == 0 || characters[start - 1] == " " else { return nil }
    let word = characters[start...].prefix { $0 != " " }
    let digits = word.prefix { ("0"..."9").contains($0) || $0 == "." }
    guard let number = Double(String(digits)) else { return nil }
    let duration: Duration
    switch String(word[digits.endIndex...]) {
    case "ms": duration = Int(String(digits)).map { .milliseconds($0) } ?? .milliseconds(number)
    case "s": duration = .seconds(number)
    case "m": duration = .seconds(number * 60)
    default: return nil
    }
    return (duration, word.endIndex)
  }
}
