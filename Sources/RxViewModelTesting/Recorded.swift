import RxViewModel

/// An event and the time at which it happened, or at which it is due.
public struct Recorded<Element: Sendable>: Sendable {
  /// The time since the start of the scheduler or, in a cold observable, since the subscription.
  public let time: Duration
  /// The event.
  public let event: Event<Element>

  /// Makes an event with its time.
  public init(_ time: Duration, _ event: Event<Element>) {
    self.time = time
    self.event = event
  }
}

/// Two errors are equal if they have the same type and `==` says so, or, without `Equatable`, if their descriptions and stored values are
/// the same.
extension Recorded: Equatable where Element: Equatable {
  public static func == (left: Recorded, right: Recorded) -> Bool {
    if left.time != right.time { return false }
    switch (left.event, right.event) {
    case (.next(let left), .next(let right)): return left == right
    case (.error(let left), .error(let right)): return areEqual(left, right)
    case (.completed, .completed): return true
    default: return false
    }
  }
}

extension Recorded: CustomStringConvertible {
  public var description: String {
    switch event {
    case .next(let element): "\(time): \(element)"
    case .error(let error): "\(time): error \(error)"
    case .completed: "\(time): completed"
    }
  }
}
