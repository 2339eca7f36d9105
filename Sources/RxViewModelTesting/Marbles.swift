import RxViewModel

/// The error that `#` stands for in a marble diagram.
public struct MarbleError: Error, Equatable {
  /// Makes an error. All marble errors are equal.
  public init() {}
}

extension Array {
  /// Reads events from a marble diagram: `scheduler.coldObservable(.marbles("-a-b-|", ["a": 1, "b": 2]))`.
  ///
  /// The documentation of the operators draws its diagrams in the same language, and the same parser reads them. Each character has a
  /// column, counted from zero, and takes a frame of time, unless it is a space or belongs to a time such as `25ms`. The diagram begins at
  /// time zero.
  ///
  ///     -              a frame passes
  ///     a, 10, next(1) an element, in the column of its first character: the characters up to the next one of - | # ^ ! ) , or a space.
  ///                    Brackets in it, round or square, belong to it with all that they contain: [1,2] is one element
  ///     |              the completion
  ///     #              the error
  ///     (a,b|)         all of these in the column of the opening bracket; commas separate elements
  ///     25ms           25 ms pass; `1.5s` and `2m` work too; a space, or the end of the diagram, on each side
  ///     ^              the subscription, in a hot observable: time zero is in this column
  ///     spaces         around a time, and for alignment at the ends of the diagram; they take no time
  ///
  /// If the diagram has a `^`, the columns before it have times below zero. A time is added to the frames, so in `a 25ms b` the second
  /// element comes a frame and 25 ms after the first. You can't draw elements in neighbouring columns, because `ab` is one element: draw
  /// `a-b` with a shorter `frame` instead. A `!` belongs to the diagram of a subscription: see `test(_:subscription:frame:)`.
  ///
  /// Traps if the diagram has a mistake: a name that `values` doesn't contain, a bracket without its partner, an event or time after the
  /// end, a space between elements. The message names the column:
  /// `column 3 of “-a 10 ms b|”: “10” is not a time, and only times such as 25ms have spaces around them`.
  ///
  /// - Parameters:
  ///   - values: The elements, by their names in the diagram.
  ///   - error: The error that `#` stands for.
  ///   - frame: The time of one frame.
  public static func marbles<Value: Sendable>(
    _ diagram: String, _ values: [String: Value], error: any Error = MarbleError(),
    frame: Duration = .milliseconds(10)
  ) -> [Recorded<Value>] where Element == Recorded<Value> {
    reading(diagram, frame) { try $0.events(error: error) { values[$0] } }
  }

  /// Reads events from a marble diagram whose elements are their names in the diagram.
  public static func marbles(
    _ diagram: String, error: any Error = MarbleError(), frame: Duration = .milliseconds(10)
  ) -> [Recorded<String>] where Element == Recorded<String> {
    reading(diagram, frame) { try $0.events(error: error) { $0 } }
  }
}

extension MarbleReader {
  /// The events of the diagram. Time zero is at the `^`, or else in column zero.
  ///
  /// - Parameter value: Returns the value of an element with the given name.
  func events<Value: Sendable>(error: any Error, value: (String) -> Value?) throws -> [Recorded<Value>] {
    let starts = marbles.filter { $0.sign == "^" }
    if starts.count > 1 { throw mistake("a second subscription", at: starts[1].column) }
    return try marbles.compactMap { marble in
      let time = marble.time - (starts.first?.time ?? .zero)
      switch marble.sign {
      case "^": return nil
      case "!": throw mistake("a ! belongs to the diagram of a subscription", at: marble.column)
      case "|": return Recorded(time, .completed)
      case "#": return Recorded(time, .error(error))
      default:
        guard let value = value(marble.name) else {
          throw mistake("there is no value for “\(marble.name)”", at: marble.column)
        }
        return Recorded(time, .next(value))
      }
    }
  }

  /// When the diagram subscribes and disposes.
  fileprivate func subscription() throws -> (begin: Duration?, end: Duration?) {
    for (index, marble) in marbles.enumerated() {
      let isRepeated = marbles.prefix(index).contains { $0.sign == marble.sign }
      if isRepeated || marble.sign != "^" && marble.sign != "!" {
        throw mistake("the diagram of a subscription has at most one ^ and one !, and no events", at: marble.column)
      }
    }
    return (marbles.first { $0.sign == "^" }?.time, marbles.first { $0.sign == "!" }?.time)
  }
}

/// Traps a mistake in the diagram, in release builds too.
private func reading<Result>(_ diagram: String, _ frame: Duration, _ read: (MarbleReader) throws -> Result) -> Result {
  do {
    return try read(MarbleReader(diagram, frame: frame))
  } catch {
    fatalError("marbles: \(error)")
  }
}

extension ObservableType {
  /// Subscribes and disposes at the times in a marble diagram, and records each event with the time of `scheduler`.
  ///
  ///     let events = ticks.test(scheduler, subscription: "--^---!")
  ///
  ///     -      one frame passes, as in the diagrams of events; times such as 25ms too
  ///     ^      subscribes; takes a frame. Without it the subscription is made at time zero
  ///     !      disposes; takes a frame. Without it nothing is disposed
  ///
  /// Time zero is the current time. Steps that are due now happen before this returns, so `"^---!"` subscribes immediately. The others are
  /// scheduled. Traps if the diagram has another symbol, or one of these twice.
  public func test(
    _ scheduler: TestScheduler, subscription diagram: String, frame: Duration = .milliseconds(10)
  ) -> TestObserver<Element> {
    let (begin, end) = reading(diagram, frame) { try $0.subscription() }
    let observer = TestObserver<Element>(scheduler: scheduler)
    if let begin, begin > .zero {
      _ = scheduler.schedule(after: begin) { observer.subscription.replace(with: subscribe(observer)) }
    } else {
      observer.subscription.replace(with: scheduler.time.atWork { subscribe(observer) })
    }
    if let end { _ = scheduler.schedule(after: end) { observer.dispose() } }
    return observer
  }
}

extension Event {
  var element: Element? {
    if case .next(let element) = self { element } else { nil }
  }

  var error: (any Error)? {
    if case .error(let error) = self { error } else { nil }
  }
}
