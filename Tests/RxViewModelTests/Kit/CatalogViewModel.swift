import RxViewModel
import RxViewModelTesting

struct Catalog: Sendable, Equatable {
  var query = ""
  var isBusy = false
  var items: [Int] = []
  var count = 0
}

enum CatalogAction: Sendable, Equatable {
  case increment
  /// Folds twice at once.
  case load
  /// Folds after 300 ms; the latest wins.
  case search(String)
  /// Fails at once.
  case login
  /// Fails at once, and `handleError` returns true.
  case handled
  /// Completes without a mapper.
  case refresh
  /// Never ends; a second one is dropped.
  case watch
  /// Adds one on the main actor.
  case incrementOnMain
}

struct WrongPassword: Error, Equatable, CustomStringConvertible {
  var attempt = 1
  var description: String { "WrongPassword \(attempt)" }
}

/// A view model for the tests of `TestStore`.
// Sendable: it stores one `let`.
final class CatalogViewModel: RxViewModel<CatalogAction, Catalog>, @unchecked Sendable {
  private let time: any Scheduler

  init(_ time: TestScheduler, executing actions: CatalogAction...) {
    self.time = time
    super.init(scheduler: time)
    for action in actions { execute(action) }
  }

  override func createInitialState() -> Catalog { Catalog() }

  override func createObservable(_ action: CatalogAction) -> Effect {
    switch action {
    case .increment: return .mutate { $0.count += 1 }
    case .load:
      return Effect.mutate { $0.isBusy = true }.concat(
        Effect.mutate { $0.items = [1] })
    case .search(let text):
      return Observable.timer(.milliseconds(300), scheduler: time).mutate { state, _ in state.query = text }
    case .login: return .error(WrongPassword())
    case .handled: return .error(WrongPassword(attempt: 0))
    case .refresh: return .unchanged()
    case .watch: return .never()
    case .incrementOnMain:
      return Observable.task { await onMainActor() }.mutate { $0.count += $1 }
    }
  }

  override func executionMode(for action: CatalogAction) -> ExecutionMode {
    switch action {
    case .search: .switchLatest
    case .watch: .dropWhileBusy
    default: .parallel
    }
  }

  override func handleError(_ error: any Error, action: CatalogAction?) -> Bool {
    (error as? WrongPassword)?.attempt == 0
  }
}

@MainActor private func onMainActor() async -> Int {
  await Task.yield()
  return 1
}
