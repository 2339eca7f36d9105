/// The values of a property, with what decides about them, under one lock: so a decision and the event that it leads to are one step.
final class PropertyValues<Value: Sendable, Detail: Sendable>: SubjectHost {
  struct State {
    var subject: SubjectState<Value>
    var detail: Detail
  }

  private let state: Lock<State>

  /// - Parameter value: The current value; nil if it is not known yet.
  init(_ value: Value?, _ detail: Detail) {
    let buffer = value.map { ReplayBuffer($0) } ?? ReplayBuffer(size: 1)
    state = Lock(State(subject: SubjectState(buffer, replaysAfterEnd: true), detail: detail))
  }

  func withSubject<Result>(_ body: (inout SubjectState<Value>) -> Result) -> Result {
    state.withLock { body(&$0.subject) }
  }

  func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    state.withLock(body)
  }

  /// Changes the detail and accepts the event that `change` returns, in one step; then delivers it, unless another thread delivers.
  ///
  /// - Parameters:
  ///   - change: Runs under the lock: it runs no code of the user's and drops nothing of the user's.
  ///   - prepare: Runs between the two, without the lock.
  func update(_ change: (inout State) -> Event<Value>?, beforeDelivery prepare: () -> Void = {}) {
    var delivery = Delivery<Value>()
    var next: Event<Value>?
    let acceptance = state.withLock { state -> DeliveryQueue<Event<Value>>.Acceptance in
      next = change(&state)
      guard let event = next else { return .queued }
      return state.subject.accept(event, &delivery)
    }
    prepare()
    if let next { withUnsafePointer(to: next) { deliver($0, acceptance, &delivery) } }
  }
}
