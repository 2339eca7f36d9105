import RxViewModel
import RxViewModelTesting

@testable import TestSupport

extension Exploration {
  /// A search whose answers arrive when the explorer decides.
  func search() -> SearchViewModel {
    SearchViewModel(scheduler: scheduler) { text in
      try await self.arrival("answer to \(text)")
      return [text]
    }
  }

  /// Searches for a, then for ab, and returns what the user sees in the end. In parallel, a stale answer may overwrite the newest one.
  func searchTwice() -> SearchState {
    let model = search()
    model.execute(.search("a"), mode: .parallel)
    mayArrive()
    model.execute(.search("ab"), mode: .parallel)
    allArrive()
    return model.currentState
  }
}
