/// An event of an observable, which sends any number of elements, then at most one terminal event.
///
/// An event can be copied if its element can. The elements of an ``Observable`` always can.
@frozen
public enum Event<Element: Sendable & ~Copyable>: ~Copyable, Sendable {
  /// An element.
  case next(Element)
  /// The end of the stream because of an error.
  case error(any Error)
  /// The regular end of the stream.
  case completed
}

extension Event: Copyable where Element: Copyable {}

// Declared for noncopyable elements too, although there are none: in generic code a `switch` copies a copyable element, and borrows one
// that may be noncopyable.
extension Event where Element: ~Copyable {
  @inlinable
  var isTerminal: Bool {
    visit { _ in
      false
    } error: { _ in
      true
    } completed: {
      true
    }
  }

  @inlinable
  var isCompleted: Bool {
    visit { _ in
      false
    } error: { _ in
      false
    } completed: {
      true
    }
  }

  /// Calls the closure for the kind of event. The closure borrows the element, so this copies nothing.
  @inline(__always)
  @inlinable
  borrowing func visit<Result>(
    next: (borrowing Element) throws -> Result, error: (any Error) throws -> Result, completed: () throws -> Result
  ) rethrows -> Result {
    switch self {
    case .next(let element): try next(element)
    case .error(let failure): try error(failure)
    case .completed: try completed()
    }
  }

  /// Lets `body` borrow the event at `pointer`. Reading `pointee` instead may copy the event.
  @inline(__always)
  @inlinable
  static func borrow<Result>(_ pointer: UnsafePointer<Event>, _ body: (borrowing Event) -> Result) -> Result {
    body(pointer.pointee)
  }
}

extension Event {
  /// Calls `body` with an event that contains `element`.
  ///
  /// Usually the event is a bitwise copy, which is valid only while the element is: `body` borrows it, and it is never destroyed. An
  /// element with a weak reference registers its address, so it gets a copy of its own.
  @inline(__always)
  @inlinable
  static func withNext<Result>(_ element: borrowing Element, _ body: (UnsafePointer<Event>) -> Result) -> Result {
    if !_isBitwiseTakable(Element.self) {
      let event = Event.next(copy element)
      return withUnsafePointer(to: event, body)
    }
    return withUnsafePointer(to: element) { element in
      withUnsafeTemporaryAllocation(of: Event.self, capacity: 1) { event in
        let event = event.baseAddress!
        event.initialize(to: .next(UnsafeMutablePointer(mutating: element).move()))
        return body(event)
      }
    }
  }
}
