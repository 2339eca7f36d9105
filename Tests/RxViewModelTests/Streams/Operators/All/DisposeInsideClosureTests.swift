import RxViewModel
import Testing

@testable import TestSupport

// contract 1.4: when a closure of the user disposes the subscription, the subscriber is not called again on that thread
@Suite struct DisposeInsideClosureTests {
  private let subscription = SerialDisposable()
  private let late = Locked<[String]>([])

  /// Records the events that come after the dispose.
  private func subscribe<Element>(to stream: Observable<Element>, isDisposed: Locked<Bool>) {
    subscription.replace(
      with: stream.subscribe { [late] event in if isDisposed.value { late.mutate { $0.append("\(event)") } } })
  }

  private func dispose(_ isDisposed: Locked<Bool>) {
    subscription.dispose()
    isDisposed.mutate { $0 = true }
  }

  enum PaginateClosure: CaseIterable {
    case endOfAnsweredRequest, endOfSupersededRequest, append, request
  }

  @Test(arguments: PaginateClosure.allCases)
  func paginate(closure: PaginateClosure) {
    let (first, next, answers) = (PublishSubject<String>(), PublishSubject<Void>(), PublishSubject<Page<Int, Int>>())
    let isDisposed = Locked(false)
    let disposesInRequest = Locked(false)
    let pages = Observable<Pagination<String, Int, Int>>.paginate(
      firstPage: first, nextPage: next,
      append: { items, page in
        items += page
        if closure == .append { dispose(isDisposed) }
      },
      request: { _ in
        if disposesInRequest.value { dispose(isDisposed) }
        return .create { observer in
          let answer = answers.subscribe(observer)
          return Disposables.create {
            answer.dispose()
            if closure == .endOfAnsweredRequest || closure == .endOfSupersededRequest { dispose(isDisposed) }
          }
        }
      })
    subscribe(to: pages, isDisposed: isDisposed)
    disposesInRequest.mutate { $0 = closure == .request }
    first.onNext("a")
    if closure == .endOfSupersededRequest { first.onNext("b") } else { answers.onNext(Page([1], next: 2)) }
    #expect(isDisposed.value)
    #expect(late.value == [])
    #expect(!first.hasObservers && !next.hasObservers && !answers.hasObservers)
  }

  @Test func isLoadingWhere() {
    let (viewModel, isDisposed) = (NeverEnding(), Locked(false))
    let isLoading = viewModel.isLoadingObservable { _ in
      dispose(isDisposed)
      return true
    }
    subscribe(to: isLoading, isDisposed: isDisposed)
    viewModel.execute(1)
    #expect(isDisposed.value)
    #expect(late.value == [])
  }
}

private final class NeverEnding: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores nothing.
  init() {
    super.init(scheduler: ImmediateScheduler())
  }

  override func createInitialState() -> Int { 0 }
  override func createObservable(_ action: Int) -> Effect { .never() }
}
