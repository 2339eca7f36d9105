// The compiler says: main actor-isolated static property 'threshold' can not be referenced from a Sendable closure
// Alone, with: -default-isolation MainActor
import RxViewModel

struct Limits { static let threshold = [10] }

final class CounterViewModel: RxViewModel<CounterViewModel.Action, Int>, @unchecked Sendable {
  enum Action: Sendable, Equatable { case increment }

  override func createObservable(_ action: Action) -> Effect {
    .mutate { $0 += Limits.threshold[0] }
  }
}
