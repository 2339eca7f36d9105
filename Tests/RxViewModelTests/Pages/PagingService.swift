import RxViewModel
import RxViewModelTesting

@testable import TestSupport

/// Answers each page request after 10 ms of virtual time, and logs the requests.
///
/// The first page of p is `[p]`. The page of cursor c is `[c]` if c is at most 2, otherwise it is empty. The cursor of the next
/// page is the last item plus one.
final class PagingService: Sendable {
  let scheduler = TestScheduler()
  private let entries = Locked<[String]>([])
  private let failing: Set<Int>

  /// - Parameter failing: The times of the requests that fail, in milliseconds.
  init(failing: Set<Int> = []) {
    self.failing = failing
  }

  /// The entries, such as `20: cursor 2 of 1` and `25: disposed`.
  var log: [String] { entries.value }

  func page(_ request: PageRequest<Int, Int>) -> Observable<Page<Int, Int>> {
    let start = milliseconds(scheduler.now)
    write(request.cursor.map { "cursor \($0) of \(request.parameters)" } ?? "first page of \(request.parameters)")
    let items = request.cursor.map { $0 <= 2 ? [$0] : [] } ?? [request.parameters]
    let answer: [Recorded<Page<Int, Int>>] =
      failing.contains(start)
      ? [Recorded(.milliseconds(10), .error(TestError()))]
      : [
        Recorded(.milliseconds(10), .next(Page(items, next: (items.last ?? 0) + 1))),
        Recorded(.milliseconds(10), .completed),
      ]
    return scheduler.coldObservable(answer).do(onDispose: { [self] in
      if milliseconds(scheduler.now) < start + 10 { write("disposed") }
    })
  }

  private func write(_ entry: String) {
    entries.mutate { $0.append("\(milliseconds(scheduler.now)): \(entry)") }
  }
}

func milliseconds(_ time: Duration) -> Int {
  Int(time / .milliseconds(1))
}

/// A list as text: `[1, 2] loading`, `[1] failed`, `[1, 2] end`.
func text(_ pages: Pages<Int, Int, Int>, isLoading: Bool = false) -> String {
  var text = "\(pages.items)"
  if isLoading { text += " loading" }
  if pages.error != nil { text += " failed" }
  if pages.pageCount > 0, !pages.hasMore { text += " end" }
  return text
}

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
    case .search(let number): .page(\.results, { $0.begin(number) }, request: request)
    case .scrolledToEnd: .page(\.results, { $0.nextRequest }, request: request)
    }
  }

  override func executionMode(for action: PagesAction) -> ExecutionMode { mode }
}
