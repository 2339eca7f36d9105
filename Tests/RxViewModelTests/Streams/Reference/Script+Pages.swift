import RxViewModel
import RxViewModelTesting

// The lists of `paginate` and `page`: the service from which the library and the reference request pages, and the reference (contract 8).
extension Script {
  /// The page of a list with this number, or nil for an error. A page may be empty although it has a cursor.
  static func page(_ list: Int, _ number: Int) -> Page<Int, Int>? {
    let kind = Int(list.magnitude % 6)
    if kind == 5, number == 1 { return nil }
    return Page(number == 3 ? [] : [list &* 10 &+ number], next: number < kind ? number + 1 : nil)
  }

  /// The answer to a request for a page, which takes `time`.
  static func answer(
    to request: PageRequest<Int, Int>, after time: Duration, _ scheduler: TestScheduler
  ) -> Observable<Page<Int, Int>> {
    Observable.timer(time, scheduler: scheduler).map { _ in
      guard let page = page(request.parameters, request.cursor ?? 0) else { throw ScriptError() }
      return page
    }
  }

  static func code(_ pages: Pages<Int, Int, Int>, isLoading: Bool = false) -> Int {
    code(pages.items + [pages.pageCount, pages.error == nil ? 0 : 1, pages.hasMore ? 1 : 0, isLoading ? 1 : 0])
  }
}

/// The state of a view model with a list.
struct ScriptPages: Sendable {
  var list = Pages<Int, Int, Int>()
}

/// The reference implementation of a list.
private struct PageList {
  var items: [Int] = []
  var pageCount = 0
  var hasFailed = false
  /// The page that is requested next.
  var due: (list: Int, number: Int)?

  mutating func begin(_ list: Int) {
    (pageCount, hasFailed, due) = (0, false, (list, 0))
  }

  mutating func receive() {
    guard let (list, number) = due else { return }
    guard let page = Script.page(list, number) else {
      hasFailed = true
      return
    }
    hasFailed = false
    pageCount += 1
    items = (number == 0 ? [] : items) + page.items
    due = page.items.isEmpty ? nil : page.next.map { (list, $0) }
  }

  func code(isLoading: Bool = false) -> Int {
    Script.code(items + [pageCount, hasFailed ? 1 : 0, due == nil ? 0 : 1, isLoading ? 1 : 0])
  }
}

extension Events {
  /// `paginate` with these events as its trigger of first pages. No event may come at the instant of an answer.
  func paginated(_ next: Events, _ time: Duration, from start: Duration) -> Events {
    var (list, answer, openTriggers): (PageList, Duration?, Int) = (PageList(), nil, 2)
    var result = [Recorded(start, Event.next(list.code()))]
    func receive(before now: Duration) {
      guard let due = answer, due < now else { return }
      answer = nil
      list.receive()
      result.append(Recorded(due, .next(list.code())))
      if openTriggers == 0 { result.append(Recorded(due, .completed)) }
    }
    for (source, event) in Events.inOrder([self, next]) {
      receive(before: event.time)
      switch event.event {
      case .next(let element):
        if source == 0 { list.begin(element) } else if answer != nil || list.due == nil { continue }
        answer = event.time + time
        result.append(Recorded(event.time, .next(list.code(isLoading: true))))
      case .error:
        return result + [event]
      case .completed:
        openTriggers -= 1
        if openTriggers == 0, answer == nil { return result + [event] }
      }
    }
    receive(before: .seconds(1_000_000))
    return result
  }

  /// A `flatMap` that calls `page` for each element. Only the answer to the latest request counts.
  func paged(_ time: Duration) -> Events {
    var (list, lists, latest): (PageList, [Int], Int) = (PageList(), [], 0)
    // The elements are request numbers: 0, 1, … when requests begin, and -1, -2, … when they are answered.
    let steps = flatMapped { element, now in
      lists.append(element)
      let end: Event<Int> = Script.page(element, 0) == nil ? .error(ScriptError()) : .completed
      return [
        Recorded(now, .next(lists.count - 1)), Recorded(now + time, .next(-lists.count)), Recorded(now + time, end),
      ]
    }
    return steps.mapElements { step in
      if step >= 0 {
        latest = step
        list.begin(lists[step])
      } else if step == -latest - 1 {
        list.receive()
      }
      return list.code()
    }
  }
}
