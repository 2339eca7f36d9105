import RxViewModel

/// The error that `#` stands for in a marble diagram.
public struct MarbleError: Error, Equatable {
  /// Makes an error. All marble errors are equal.
  public init() {}
}

extension Array {
  /// Reads events from a marble diagram: `scheduler.coldObservable(.marbles("-a-b-|", ["a": 1, "b": 2]))`.
  ///
  ///     -      one frame passes
  ///     a      an element, by its name in `values`; takes a frame
  ///     |      the completion; takes a frame
  ///     #      the error; takes a frame
  ///     (ab|)  all at the instant of the bracket; takes as many frames as it has characters
  ///     25ms   25 ms pass; `1.5s` and `2m` work too; a space, or the end of the diagram, on each side
  ///     ^      the subscription, in a hot observable: time zero is here; takes a frame
  ///     space  nothing, for alignment
  ///
  /// The first character is at time zero. If the diagram has a `^`, that is at time zero, and the characters before it have times below
  /// zero. The conventions are those of RxJS, so in `a 25ms b` the second element comes a frame and 25 ms after the first. A `!` belongs to
  /// the diagram of a subscription: see `test(_:subscription:frame:)`.
  ///
  /// A mistake in a diagram (a name that `values` does not contain, a bracket without its partner, an event after the
  /// end) is a programming mistake, and is trapped.
  ///
  /// - Parameters:
  ///   - error: The error that `#` stands for.
  ///   - frame: The time of one frame.
  public static func marbles<Value: Sendable>(
    _ diagram: String, _ values: [Character: Value], error: any Error = MarbleError(),
    frame: Duration = .milliseconds(10)
  ) -> [Recorded<Value>] where Element == Recorded<Value> {
    events(in: diagram, error: error, frame: frame) { values[$0] }
  }

  /// Reads events from a marble diagram whose elements are the characters themselves.
  public static func marbles(
    _ diagram: String, error: any Error = MarbleError(), frame: Duration = .milliseconds(10)
  ) -> [Recorded<String>] where Element == Recorded<String> {
    events(in: diagram, error: error, frame: frame) { String($0) }
  }

  private static func events<Value: Sendable>(
    in diagram: String, error: any Error, frame: Duration, _ value: (Character) -> Value?
  ) -> [Recorded<Value>] where Element == Recorded<Value> {
    let reader = MarbleReader(diagram, frame: frame)
    var events: [Recorded<Value>] = []
    var zero: Duration?
    for (time, symbol) in reader.symbols {
      func add(_ event: Event<Value>) {
        if let last = events.last?.event, last.element == nil { reader.fail("something follows the end") }
        events.append(Recorded(time, event))
      }
      switch symbol {
      case .element(let name):
        guard let value = value(name) else { reader.fail("no value for \(name)") }
        add(.next(value))
      case .completion: add(.completed)
      case .error: add(.error(error))
      case .subscription:
        if zero != nil { reader.fail("a second subscription") }
        zero = time
      case .disposal:
        reader.fail("a ! that belongs to the diagram of a subscription")
      }
    }
    guard let zero else { return events }
    return events.map { Recorded($0.time - zero, $0.event) }
  }
}

extension ObservableType {
  /// Subscribes and disposes at the times in a marble diagram, and records each event with the time of `scheduler`.
  ///
  ///     let events = ticks.test(scheduler, subscription: "--^---!")
  ///
  ///     -      one frame passes, as in the diagrams of events; times like 25ms too
  ///     ^      subscribes; takes a frame. Without it the subscription is made at time zero
  ///     !      disposes; takes a frame. Without it nothing is disposed
  ///
  /// Time zero is the current time. Steps that are due now happen before this returns: `"^---!"` subscribes at once. The others are
  /// scheduled. Another symbol, or one of these twice, is a programming mistake, and is trapped.
  public func test(
    _ scheduler: TestScheduler, subscription diagram: String, frame: Duration = .milliseconds(10)
  ) -> TestObserver<Element> {
    let reader = MarbleReader(diagram, frame: frame)
    var (begin, end): (Duration?, Duration?) = (nil, nil)
    for (time, symbol) in reader.symbols {
      switch symbol {
      case .subscription where begin == nil: begin = time
      case .disposal where end == nil: end = time
      default: reader.fail("not one ^ and one !")
      }
    }
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
