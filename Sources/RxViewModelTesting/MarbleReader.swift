/// Reads a marble diagram from left to right. `marbles(_:_:error:frame:)` documents the language.
struct MarbleReader {
  /// A mistake in a diagram.
  struct Mistake: Error, CustomStringConvertible {
    let description: String
  }

  /// An element with its name, or a sign: `|`, `#`, `^` or `!`.
  typealias Marble = (sign: Character?, name: String, column: Int, time: Duration)

  private let diagram: String
  private let characters: [Character]
  private let frame: Duration
  private(set) var marbles: [Marble] = []
  /// Where the next character stands. Columns count from zero.
  private var column = 0
  private var time = Duration.zero
  /// The open bracket.
  private var group: (column: Int, time: Duration, firstMarble: Int)?
  private var hasEnd = false
  /// The column in which time passes after the end. A `^` may follow there.
  private var timeAfterEnd: Int?

  init(_ diagram: String, frame: Duration) throws {
    (self.diagram, self.frame, characters) = (diagram, frame, Array(diagram))
    try readGap()
    while column < characters.count {
      if characters[column] == " " { try readGap() } else { try readMarble() }
    }
    if let group { throw mistake("the bracket is not closed", at: group.column) }
    if let timeAfterEnd { throw mistake("something follows the end", at: timeAfterEnd) }
  }

  /// A mistake in a column, by default in that of the next character, as a sentence that quotes the diagram.
  func mistake(_ sentence: String, at column: Int? = nil) -> Mistake {
    Mistake(description: "column \(column ?? self.column) of “\(diagram)”: \(sentence)")
  }

  private mutating func readMarble() throws {
    switch characters[column] {
    case "-":
      if group != nil { throw mistake("time passes inside a bracket") }
      noteTime()
    case "(":
      if group != nil { throw mistake("a bracket opens inside a bracket") }
      group = (column, time, marbles.count)
    case ")":
      guard let open = group.take() else { throw mistake("no bracket is open") }
      if open.firstMarble == marbles.count { throw mistake("the bracket is empty", at: open.column) }
    case ",": if group == nil { throw mistake("a comma stands outside a bracket") }
    case "|", "#", "^", "!": try add(characters[column])
    default: return try readElement()
    }
    advance(to: column + 1)
  }

  /// Reads an element, and the brackets in it.
  private mutating func readElement() throws {
    var (end, depth) = (column, 0)
    while end < characters.count, depth > 0 || !"-|#^!), ".contains(characters[end]) {
      switch characters[end] {
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case "|", "#": throw mistake("the stream ends inside the brackets of an element", at: end)
      default: break
      }
      end += 1
    }
    if depth != 0 { throw mistake("the element has an unmatched bracket") }
    try add(nil, String(characters[column..<end]))
    advance(to: end)
  }

  private mutating func add(_ sign: Character?, _ name: String = "") throws {
    if sign == "^" { timeAfterEnd = nil }
    if hasEnd, sign != "^", sign != "!" { throw mistake("something follows the end") }
    if sign == "|" || sign == "#" { hasEnd = true }
    marbles.append((sign, name, column, group?.time ?? time))
  }

  /// Lets a frame pass for each character.
  private mutating func advance(to end: Int) {
    time += frame * (end - column)
    column = end
  }

  private mutating func noteTime() {
    if hasEnd, timeAfterEnd == nil { timeAfterEnd = column }
  }

  /// Reads spaces, and the times between them.
  private mutating func readGap() throws {
    var isAllowed = column == 0
    while column < characters.count {
      let word = characters[column...].prefix { $0 != " " }
      if word.isEmpty {
        if group != nil { throw mistake("a space stands inside a bracket") }
        column += 1
      } else if let duration = Self.duration(word) {
        noteTime()
        time += duration
        (column, isAllowed) = (word.endIndex, true)
      } else if isAllowed {
        return
      } else {
        throw mistake("“\(String(word))” is not a time, and only times such as 25ms have spaces around them")
      }
    }
  }

  /// The value of a word such as `25ms`, `1.5s` or `2m`; nil for any other word.
  private static func duration(_ word: ArraySlice<Character>) -> Duration? {
    let digits = word.prefix { ("0"..."9").contains($0) || $0 == "." }
    guard let number = Double(String(digits)) else { return nil }
    switch String(word[digits.endIndex...]) {
    case "ms": return Int(String(digits)).map { .milliseconds($0) } ?? .milliseconds(number)
    case "s": return .seconds(number)
    case "m": return .seconds(number * 60)
    default: return nil
    }
  }
}
