import RxViewModel
import RxViewModelTesting

@testable import TestSupport

/// The code for a row's label in a marble diagram. A unit of time is a millisecond.
struct DrawnOperator: Sendable {
  let label: String
  let make: @Sendable (DrawnInputs) -> Observable<String>

  init(_ label: String, _ make: @escaping @Sendable (DrawnInputs) -> Observable<String>) {
    (self.label, self.make) = (label, make)
  }

  static let all: [DrawnOperator] = creating + transforming + filtering + combining + time + errors + sharing + paging

  private static let creating = [
    DrawnOperator("just(1)") { _ in .just("1") },
    DrawnOperator("of(1, 2, 3)") { _ in .of("1", "2", "3") },
    DrawnOperator("from(1...3)") { _ in Observable.from(1...3).text },
    DrawnOperator("empty()") { _ in .empty() },
    DrawnOperator("never()") { _ in .never() },
    DrawnOperator("error(offline)") { _ in .error(TestError()) },
    DrawnOperator("deferred { source }") { rows in .deferred { rows.source } },
    DrawnOperator("interval(2–)") { Observable.interval(.milliseconds(2), scheduler: $0.scheduler).text },
    DrawnOperator("timer(4–)") { Observable.timer(.milliseconds(4), scheduler: $0.scheduler).text },
    DrawnOperator("timer(after: 1–, every: 3–)") {
      Observable.timer(after: .milliseconds(1), every: .milliseconds(3), scheduler: $0.scheduler).text
    },
  ]

  private static let transforming = [
    DrawnOperator("map(× 10)") { $0.source.numbers.map { $0 * 10 }.text },
    DrawnOperator("compactMap(Int)") { $0.source.compactMap { Int($0) }.text },
    DrawnOperator("scan(0, +)") { $0.source.numbers.scan(0, +).text },
    DrawnOperator("combinePrevious()") { $0.source.combinePrevious().map { $0.previous + $0.current } },
    DrawnOperator("combinePrevious(0)") { $0.source.combinePrevious("0").map { $0.previous + $0.current } },
    DrawnOperator("toArray()") { $0.source.toArray().list },
    DrawnOperator("materialize()") { $0.source.numbers.materialize().text },
    DrawnOperator("elements()") { $0.source.events.elements() },
    DrawnOperator("errors()") { $0.source.events.errors().text },
    DrawnOperator("flatMap(inner)") { $0.source.flatMap($0.inner) },
    DrawnOperator("flatMapLatest(inner)") { $0.source.flatMapLatest($0.inner) },
    DrawnOperator("flatMapFirst(inner)") { $0.source.flatMapFirst($0.inner) },
    DrawnOperator("concatMap(inner)") { $0.source.concatMap($0.inner) },
    DrawnOperator("flatMap(maxConcurrent: 2, inner)") { $0.source.flatMap(maxConcurrent: 2, $0.inner) },
  ]

  private static let filtering = [
    DrawnOperator("ignoreElements()") { $0.source.ignoreElements() },
    DrawnOperator("filter(even)") { $0.source.numbers.filter { $0 % 2 == 0 }.text },
    DrawnOperator("distinctUntilChanged()") { $0.source.distinctUntilChanged() },
    DrawnOperator("distinctUntilChanged(at: first)") { $0.source.distinctUntilChanged(at: \.first) },
    DrawnOperator("distinctUntilChanged(sameParity)") {
      $0.source.numbers.distinctUntilChanged { $0 % 2 == $1 % 2 }.text
    },
    DrawnOperator("take(2)") { $0.source.take(2) },
    DrawnOperator("take(while: < 3)") { $0.source.numbers.take(while: { $0 < 3 }).text },
    DrawnOperator("take(while: < 3, inclusive: true)") {
      $0.source.numbers.take(while: { $0 < 3 }, inclusive: true).text
    },
    DrawnOperator("take(until: other)") { $0.source.take(until: $0.other) },
    DrawnOperator("skip(2)") { $0.source.skip(2) },
    DrawnOperator("debounce(3–)") { $0.source.debounce(.milliseconds(3), scheduler: $0.scheduler) },
    DrawnOperator("throttle(4–)") { $0.source.throttle(.milliseconds(4), scheduler: $0.scheduler) },
    DrawnOperator("throttle(4–, latest: false)") {
      $0.source.throttle(.milliseconds(4), latest: false, scheduler: $0.scheduler)
    },
  ]

  private static let combining = [
    DrawnOperator("startWith(9, 8)") { $0.source.startWith("9", "8") },
    DrawnOperator("concat([a, b])") { .concat([$0.a, $0.b]) },
    DrawnOperator("concat(a, b)") { .concat($0.a, $0.b) },
    DrawnOperator("concat(other)") { $0.source.concat($0.other) },
    DrawnOperator("merge([a, b])") { .merge([$0.a, $0.b]) },
    DrawnOperator("merge(a, b)") { .merge($0.a, $0.b) },
    DrawnOperator("merge(with: other)") { $0.source.merge(with: $0.other) },
    DrawnOperator("combineLatest(a, b, +)") { .combineLatest($0.a, $0.b, +) },
    DrawnOperator("combineLatest(a, b, c, +)") { .combineLatest($0.a, $0.b, $0.c) { $0 + $1 + $2 } },
    DrawnOperator("combineLatest(a, b, c, d, +)") {
      .combineLatest($0.a, $0.b, $0.c, $0.d) { a, b, c, d in "\(a)\(b)\(c)\(d)" }
    },
    DrawnOperator("combineLatest(a, b)") { Observable.combineLatest($0.a, $0.b).map { $0 + $1 } },
    DrawnOperator("combineLatest([a, b])") { Observable.combineLatest([$0.a, $0.b]).list },
    DrawnOperator("zip(a, b, +)") { .zip($0.a, $0.b, +) },
    DrawnOperator("zip(a, b, c, +)") { .zip($0.a, $0.b, $0.c) { "\($0)\($1)\($2)" } },
    DrawnOperator("zip(a, b)") { Observable.zip($0.a, $0.b).map { $0 + $1 } },
    DrawnOperator("zip([a, b])") { Observable.zip([$0.a, $0.b]).list },
    DrawnOperator("withLatestFrom(other)") { $0.source.withLatestFrom($0.other) },
    DrawnOperator("withLatestFrom(other, +)") { $0.source.withLatestFrom($0.other, +) },
    DrawnOperator("takeWhen(trigger)") { $0.source.takeWhen($0.trigger) },
    DrawnOperator("takePairWhen(trigger)") { $0.source.takePairWhen($0.trigger).map { $0 + $1 } },
  ]

  private static let time = [
    DrawnOperator("delay(2–)") { $0.source.delay(.milliseconds(2), scheduler: $0.scheduler) },
    DrawnOperator("timeout(4–)") { $0.source.timeout(.milliseconds(4), scheduler: $0.scheduler) },
    DrawnOperator("smoothed(delay: 3–, minimum: 4–)") { rows in
      rows.source.map { $0 == "t" }
        .smoothed(delay: .milliseconds(3), minimum: .milliseconds(4), scheduler: rows.scheduler).map { $0 ? "t" : "f" }
    },
    DrawnOperator("observe(on: busy)") { $0.source.observe(on: $0.busy) },
    DrawnOperator("subscribe(on: busy)") { $0.source.subscribe(on: $0.busy) },
  ]

  private static let errors = [
    DrawnOperator("catch { other }") { rows in rows.source.catch { _ in rows.other } },
    DrawnOperator("catchAndReturn(9)") { $0.source.catchAndReturn("9") },
    DrawnOperator("demoteErrors()") { $0.source.demoteErrors() },
    DrawnOperator("demoteErrors(replaceErrorWith: 9)") { $0.source.demoteErrors(replaceErrorWith: "9") },
    DrawnOperator("retry(2)") { $0.source.retry(2) },
    DrawnOperator("retry(2, delay: 2–)") {
      $0.source.retry(2, delay: { _ in .milliseconds(2) }, scheduler: $0.scheduler)
    },
  ]

  private static let sharing = [
    DrawnOperator("do(onNext: log)") { $0.source.do(onNext: { _ in }) },
    DrawnOperator("do(afterNext: log)") { $0.source.do(afterNext: { _ in }) },
    DrawnOperator("debug(taps)") { $0.source.debug("taps") { _ in } },
    DrawnOperator("continuesAfterDispose()") { $0.source.continuesAfterDispose() },
    DrawnOperator("share()") { $0.source.share() },
    DrawnOperator("share(replay: 1)") { $0.source.share(replay: 1) },
  ]
}

// A page is drawn as its items, followed by a + if there is a next page. The cursor is the last item.
extension DrawnOperator {
  private static let paging = [
    DrawnOperator("paginate(firstPage, nextPage, request)") { rows in
      Observable.paginate(firstPage: rows.firstPage, nextPage: rows.nextPage.map { _ in }, request: rows.page).map {
        "[\($0.pages.items.joined(separator: ","))]\($0.isLoading ? "…" : "")"
      }
    },
    DrawnOperator("page(\\.list, first(a), request)") { rows in
      // The list after each mapper.
      Observable.page(\DrawnState.list, { $0.begin("a") }, request: rows.page).scan(DrawnState()) { try $1($0) }
        .map { $0.list.items }.list
    },
    DrawnOperator("page(\\.list, first(a), request, page:, updating:)") { rows in
      Observable.page(
        \.list, { $0.begin("a") }, request: rows.page, page: { $0 },
        updating: { (state: inout DrawnState, page) in state.answers.append(page.items) }
      )
      .scan(DrawnState()) { try $1($0) }.map(\.list.items).list
    },
  ]
}

private struct DrawnState: Sendable {
  var list = Pages<String, String, String>()
  var answers: [[String]] = []
}

extension DrawnInputs {
  /// The row `request a`, or `request a1` for the page after item 1.
  fileprivate func page(_ request: PageRequest<String, String>) -> Observable<Page<String, String>> {
    self["request \(request.parameters)\(request.cursor ?? "")"].map { text in
      let items = text.split(separator: "+").map(String.init)
      return Page(items, next: text.hasSuffix("+") ? items.last : nil)
    }
  }
}

extension Observable {
  fileprivate var text: Observable<String> { map { "\($0)" } }
}

extension Observable<String> {
  fileprivate var numbers: Observable<Int> { map { Int($0)! } }

  /// Parses drawn events: `next(1)`, `error(x)`, `completed`.
  fileprivate var events: Observable<Event<String>> {
    map { text in
      let parts = text.split(whereSeparator: { "()".contains($0) }).map(String.init)
      switch parts[0] {
      case "next": return .next(parts[1])
      case "error": return .error(DrawnError(description: parts[1]))
      default: return .completed
      }
    }
  }
}

private struct DrawnError: Error, CustomStringConvertible {
  let description: String
}

extension Observable<[String]> {
  fileprivate var list: Observable<String> { map { "[\($0.joined(separator: ","))]" } }
}
