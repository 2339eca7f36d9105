import RxViewModel

enum PagesAction: Sendable, Equatable {
  case search(Int)
  case scrolledToEnd
}

struct PagesState: Sendable, Equatable {
  var results = Pages<Int, Int, Int>()
}

/// A view model of a paged list, with one execution mode for all actions.
// Sendable: it stores only `let`s.
final class PagesViewModel: RxViewModel<PagesAction, PagesState>, @unchecked Sendable {
  private let mode: ExecutionMode
  private let request: @Sendable (PageRequest<Int, Int>) -> Observable<Page<Int, Int>>

  init(
    scheduler: any Scheduler, mode: ExecutionMode,
    request: @escaping @Sendable (PageRequest<Int, Int>) -> Observable<Page<Int, Int>>
  ) {
    self.mode = mode
    self.request = request
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> PagesState { PagesState() }

  override func createObservable(_ action: PagesAction) -> Effect {
    switch action {
    case .search(let number): .page(\.results, { $0.first(number) }, request: request)
    case .scrolledToEnd: .page(\.results, { $0.next() }, request: request)
    }
  }

  override func executionMode(for action: PagesAction) -> ExecutionMode { mode }
}
