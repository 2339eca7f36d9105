import RxViewModel

/// The error that `#` stands for in a marble diagram.
public struct MarbleError: Error, Equatable {
  /// All of them are equal.
  public init() {}
}

extension Array {
  /// Events drawn as a marble diagram: `scheduler.coldObservable(.marbles("-a-b-|", ["a": 1, "b": 2]))`.
  ///
  ///     -      one frame passes
  ///     a      an element, by its name in `values`; takes a frame
  ///     |      the completion; takes a frame
  ///     #      the error; takes a frame
  ///     (ab|)  all at the instant of the bracket; takes as many frames as it has characters
  ///     space  nothing, for alignment
  ///
  /// The first character stands at time zero. The conventions are those of RxJS. A diagram that says something else (a name that
  /// `values` does not know, a bracket without its partner, an event behind the end) is a programming mistake and is trapped.
  ///
  /// - Parameters:
  ///   - error: what `#` stands for.
  ///   - frame: the time of one frame.
  public static func marbles<Value: Sendable>(
    _ diagram: String, _ values: [Character: Value], error: any Error = MarbleError(),
    frame: Duration = .milliseconds(10)
  ) -> [Recorded<Value>] where Element == Recorded<Value> {
    events(in: diagram, error: error, frame: frame) { name in
      guard let value = values[name] else { preconditionFailure("marbles: no value for \(name) in \(diagram)") }
      return value
    }
  }

  /// Events drawn as a marble diagram, whose elements are the characters themselves.
  public static func marbles(
    _ diagram: String, error: any Error = MarbleError(), frame: Duration = .milliseconds(10)
  ) -> [Recorded<String>] where Element == Recorded<String> {
    events(in: diagram, error: error, frame: frame) { String($0) }
  }

  private static func events<Value: Sendable>(
    in diagram: String, error: any Error, frame: Duration, _ value: (Character) -> Value
  ) -> [Recorded<Value>] where Element == Recorded<Value> {
    var events: [Recorded<Value>] = []
    var (column, group): (Int, Int?) = (0, nil)
    for character in diagram where character != " " {
      func add(_ event: Event<Value>) {
        if let last = events.last?.event, !last.isElement {
          preconditionFailure("marbles: something follows the end in \(diagram)")
        }
        events.append(Recorded(frame * (group ?? column), event))
      }
      switch character {
      case "-": precondition(group == nil, "marbles: time passes inside a bracket in \(diagram)")
      case "(":
        precondition(group == nil, "marbles: a bracket inside a bracket in \(diagram)")
        group = column
      case ")":
        precondition(group != nil, "marbles: no bracket is open in \(diagram)")
        group = nil
      case "|": add(.completed)
      case "#": add(.error(error))
      default: add(.next(value(character)))
      }
      column += 1
    }
    precondition(group == nil, "marbles: a bracket is left open in \(diagram)")
    return events
  }
}

extension Event {
  var element: Element? {
    if case .next(let element) = self { element } else { nil }
  }

  var isElement: Bool {
    if case .next = self { true } else { false }
  }
}
