// Code of the articles, word for word, that tests of the library use too. `SnippetTests` compares it with the articles.
import RxViewModel

enum CounterAction: Sendable, Equatable {
  case increment
  case add(Int)
}

final class CounterViewModel: RxViewModel<CounterAction, Int>, @unchecked Sendable {
  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: CounterAction) -> Effect {
    switch action {
    case .increment: .mutate { $0 += 1 }
    case .add(let number): .mutate { $0 += number }
    }
  }
}
