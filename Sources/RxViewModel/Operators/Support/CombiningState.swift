/// The state of one subscription to an operator with several sources.
@usableFromInline
protocol CombiningState: Sendable {
  /// An event of one of the sources.
  associatedtype Input: Sendable
  associatedtype Output: Sendable

  /// Whether only the completion follows the event that ``receive(_:)`` has returned.
  var isOver: Bool { get }

  /// Returns the event for the subscriber, if there is one.
  mutating func receive(_ input: Input) -> Event<Output>?
}

extension CombiningState {
  @inlinable
  var isOver: Bool { false }
}

extension Scope {
  /// Serializes the events of an operator's sources.
  @inlinable
  final func serial<S: CombiningState>(_ initial: S, _ sink: @escaping Observable<S.Output>.Sink) -> Serial<S.Input> {
    let state = SubscriptionState(initial)
    return Serial(in: self) { input in
      guard let event = state.value.receive(input) else { return .more }
      return state.value.isOver ? finish(with: event, sink) : forward(event, to: sink)
    }
  }
}

/// An event of one of the two sources of an operator.
@usableFromInline
enum TwoSourceInput<A: Sendable, B: Sendable>: Sendable {
  case a(Event<A>)
  case b(Event<B>)
}

extension Observable {
  /// An operator with two sources, which subscribes to `a` first.
  @inlinable
  static func joining<S: CombiningState, A, B>(_ a: Observable<A>, _ b: Observable<B>, _ initial: S) -> Observable
  where S.Input == TwoSourceInput<A, B>, S.Output == Element {
    Observable { sink, scope in
      let serial = scope.serial(initial, sink)
      scope.connect(a, to: serial) { .a($0) }
      scope.connect(b, to: serial) { .b($0) }
    }
  }
}
