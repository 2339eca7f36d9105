// The compiler says: main actor-isolated conformance of 'CounterAction' to 'Equatable' cannot be used in nonisolated context
// Alone, with: -default-isolation MainActor
import RxViewModel

enum CounterAction: Sendable, Equatable { case increment, reset }
final class CounterViewModel: RxViewModel<CounterAction, Int>, @unchecked Sendable {
  override func createObservable(_ action: CounterAction) -> Effect {
    .mutate { $0 = action == .increment ? $0 + 1 : 0 }
  }
}
