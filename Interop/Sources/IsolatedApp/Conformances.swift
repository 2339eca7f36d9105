import RxViewModel

// A type that conforms to a protocol of the library needs no `nonisolated`, and a generic subclass or feature neither.

struct TwoSteps: ObservableType {
  func asObservable() -> Observable<Int> { .just(1).concat(.just(2)) }
}

struct Discarding: ObserverType {
  func on(_ event: Event<Int>) {}
}

final class Resource: Disposable {
  func dispose() {}
}

struct InPlace: Scheduler {
  func schedule(_ work: @escaping @Sendable () -> Void) { work() }
  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    work()
    return Resource()
  }
}

struct Picker<Value: Sendable & Equatable>: Feature {
  enum Action: Sendable, Equatable {
    case pick(Value)
    case clear
  }
  enum Output: Sendable, Equatable { case picked(Value) }
  struct State: Sendable, Equatable { var value: Value? }

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
    switch action {
    case .pick(let value):
      .mutate { state in
        state.value = value
        context.output(.picked(value))
      }
    case .clear: .mutate { $0.value = nil }
    }
  }

  func executionMode(for action: Action) -> ExecutionMode { action == .clear ? .switchLatest : .parallel }

  func showSpinner(_ action: Action, context: FeatureContext<Self>) -> Bool { context.state.value == nil }

  func stateMapper(for error: any Error, action: Action) -> StateMapper<State>? {
    { _ in State(value: nil) }
  }

  func identity(of state: State) -> AnyHashable? { state.value == nil }
}

class AppViewModel<Action: Sendable, State: Sendable>: RxViewModel<Action, State>, @unchecked Sendable {
  override func diagnose(_ diagnostic: ViewModelDiagnostic<Action>) {}
}
