import RxViewModel

/// An event and when it happened, or is to happen.
public struct Recorded<Element: Sendable>: Sendable {
  /// When, since the start of the scheduler or, in a cold observable, of the subscription.
  public let time: Duration
  /// What.
  public let event: Event<Element>

  /// An event at a time.
  public init(_ time: Duration, _ event: Event<Element>) {
    self.time = time
    self.event = event
  }
}

/// Errors are equal if their types and their descriptions are.
extension Recorded: Equatable where Element: Equatable {
  public static func == (left: Recorded, right: Recorded) -> Bool {
    if left.time != right.time { return false }
    switch (left.event, right.event) {
    case (.next(let left), .next(let right)): return left == right
    case (.error(let left), .error(let right)): return areAlike(left, right)
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
