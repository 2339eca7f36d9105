// The compiler says: call to main actor-isolated global function 'format' in a synchronous nonisolated context
// Alone, with: -default-isolation MainActor
import RxViewModel

func format(_ count: Int) -> Int { count * 10 }

final class CounterViewModel: RxViewModel<CounterViewModel.Action, Int>, @unchecked Sendable {
  enum Action: Sendable, Equatable { case increment }

  override func createObservable(_ action: Action) -> Effect {
    .mutate { $0 = format($0) }
  }
}
