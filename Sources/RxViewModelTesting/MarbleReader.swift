import RxViewModel

/// Reads a marble diagram from left to right: one of a test, or a row of one in the documentation.
///
/// `marbles(_:_:error:frame:)` documents the grammar.
package struct MarbleReader {
  /// A mistake in a diagram.
  package struct Mistake: Error, CustomStringConvertible {
    package let description: String
  }

  enum Symbol: Equatable {
    case element(String)
    case completion
    case error
    /// `^`
    case subscription
    /// `!`
    case disposal

    var isEnd: Bool { self == .completion || self == .error }
  }

  typealias Marble = (symbol: Symbol, column: Int, time: Duration)

  private let diagram: String
  private let characters: [Character]
  private let frame: Duration
  private(set) var marbles: [Marble] = []
  /// The time that the diagram shows.
  package private(set) var time = Duration.zero

  /// The column of the next character. Columns count from zero.
  private var column = 0
  /// The open bracket.
  private var group: (column: Int, time: Duration, firstMarble: Int)?
  private var hasEnd = false
  /// The column in which time passes after the end. A `^` may follow there.
  private var timeAfterEnd: Int?

  package init(_ diagram: String, frame: Duration) throws(Mistake) {
    self.diagram = diagram
    self.frame = frame
    characters = Array(diagram)
    try readGap()
    while column < characters.count {
      if characters[column] == " " { try readGap() } else { try readMarble() }
    }
    if let group { throw mistake(at: group.column, "the bracket is not closed") }
    if let timeAfterEnd { throw mistake(at: timeAfterEnd, "something follows the end") }
  }

  /// A mistake in the given column, as a sentence that quotes the diagram.
  func mistake(at column: Int, _ sentence: String) -> Mistake {
    Mistake(description: "column \(column) of “\(diagram)”: \(sentence)")
  }

  private mutating func readMarble() throws(Mistake) {
    switch characters[column] {
    case "-":
      if group != nil { throw mistake(at: column, "time passes inside a bracket") }
      noteTime()
    case "(":
      if group != nil { throw mistake(at: column, "a bracket opens inside a bracket") }
      group = (column, time, marbles.count)
    case ")":
      guard let group else { throw mistake(at: column, "no bracket is open") }
      if group.firstMarble == marbles.count { throw mistake(at: group.column, "the bracket is empty") }
      self.group = nil
    case ",": if group == nil { throw mistake(at: column, "a comma stands outside a bracket") }
    case "|": try add(.completion)
    case "#": try add(.error)
    case "^": try add(.subscription)
    case "!": try add(.disposal)
    default: return try readElement()
    }
    advance(to: column + 1)
  }

  /// Reads an element, and the brackets in it.
  private mutating func readElement() throws(Mistake) {
    var (end, depth) = (column, 0)
    while end < characters.count, depth > 0 || !"-|#^!), ".contains(characters[end]) {
      switch characters[end] {
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case "|", "#": throw mistake(at: end, "the stream ends inside the brackets of an element")
      default: break
      }
      end += 1
    }
    if depth != 0 { throw mistake(at: column, "the element has a bracket without its partner") }
    try add(.element(String(characters[column..<end])))
    advance(to: end)
  }

  private mutating func add(_ symbol: Symbol) throws(Mistake) {
    switch symbol {
    case .subscription: timeAfterEnd = nil
    case .disposal: break
    default: if hasEnd { throw mistake(at: column, "something follows the end") }
    }
    if symbol.isEnd { hasEnd = true }
    marbles.append((symbol, column, group?.time ?? time))
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
  private mutating func readGap() throws(Mistake) {
    var isAllowed = column == 0
    while column < characters.count {
      let word = characters[column...].prefix { $0 != " " }
      if word.isEmpty {
        if group != nil { throw mistake(at: column, "a space stands inside a bracket") }
        column += 1
      } else if let duration = Self.duration(word) {
        noteTime()
        time += duration
        column = word.endIndex
        isAllowed = true
      } else if isAllowed {
        return
      } else {
        throw mistake(
          at: column, "“\(String(word))” is not a time, and only times such as 25ms have spaces around them")
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

extension MarbleReader {
  /// The events of the diagram. Time zero is at the `^`, or else in column zero.
  ///
  /// - Parameter value: Returns the value of an element with the given name.
  package func events<Value: Sendable>(
    error: any Error, value: (String) -> Value?
  ) throws(Mistake) -> [Recorded<Value>] {
    var events: [Recorded<Value>] = []
    var zero: Duration?
    for (symbol, column, time) in marbles {
      switch symbol {
      case .element(let name):
        guard let value = value(name) else { throw mistake(at: column, "there is no value for “\(name)”") }
        events.append(Recorded(time, .next(value)))
      case .completion: events.append(Recorded(time, .completed))
      case .error: events.append(Recorded(time, .error(error)))
      case .subscription:
        if zero != nil { throw mistake(at: column, "a second subscription") }
        zero = time
      case .disposal: throw mistake(at: column, "a ! belongs to the diagram of a subscription")
      }
    }
    guard let zero else { return events }
    return events.map { Recorded($0.time - zero, $0.event) }
  }

  /// When the diagram subscribes and disposes.
  func subscription() throws(Mistake) -> (begin: Duration?, end: Duration?) {
    var (begin, end): (Duration?, Duration?) = (nil, nil)
    for (symbol, column, time) in marbles {
      switch symbol {
      case .subscription where begin == nil: begin = time
      case .disposal where end == nil: end = time
      default: throw mistake(at: column, "the diagram of a subscription has at most one ^ and one !, and no events")
      }
    }
    return (begin, end)
  }
}
