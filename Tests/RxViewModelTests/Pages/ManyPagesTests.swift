import RxViewModel
import Testing

@testable import TestSupport

// contract 1.6: on a 512 KB stack
@Suite(.stress) struct ManyPagesTests {
  @Test func aHundredThousandPagesRequestedByOneSource() async {
    let count = await onThread(stackSize: smallStack) {
      let pageCount = Locked(0)
      _ = Observable.paginate(
        firstPage: Observable.just(0), nextPage: Observable.from(repeatElement((), count: 99_999))
      ) {
        (request: PageRequest<Int, Int>) in Observable.from([Page([1], next: (request.cursor ?? 0) + 1)])
      }.subscribe(onNext: { list in pageCount.mutate { $0 = list.pages.pageCount } })
      return pageCount.value
    }
    #expect(count == 100_000)
  }

  // Fewer pages: the state before retains the items, so that each page copies all of them.
  @Test func tenThousandPagesOfAViewModel() async {
    let count = await onThread(stackSize: smallStack) {
      let viewModel = PagesViewModel(scheduler: ImmediateScheduler(), mode: .parallel) { request in
        Observable.just(Page([1], next: (request.cursor ?? 0) + 1))
      }
      viewModel.execute(.search(0))
      for _ in 1..<10_000 { viewModel.execute(.scrolledToEnd) }
      return viewModel.currentState.results.pageCount
    }
    #expect(count == 10_000)
  }
}
