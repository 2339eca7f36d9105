// The compiler says: main actor-isolated instance method 'createInitialState()' has different actor isolation from nonisolated overridden declaration
// Alone, with: -default-isolation MainActor
import RxViewModel

enum CounterAction: Sendable { case increment }
struct CounterState: Equatable { var count = 0 }
final class CounterViewModel: RxViewModel<CounterAction, CounterState>, @unchecked Sendable {
  override func createInitialState() -> CounterState { CounterState() }
  override func createObservable(_ action: CounterAction) -> Effect {
    switch action {
    case .increment: .mutate { $0.count += 1 }
    }
  }
}
