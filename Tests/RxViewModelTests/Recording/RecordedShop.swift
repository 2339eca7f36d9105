import Foundation
import RxViewModel
import RxViewModelRecording

enum ShopDeskAction: Codable, Sendable, Hashable {
  case search(String)
  case more
  case openAll
  case like(Int)
  case liked(Int)
  case watch
  case stamp
  case browse
}

struct ShopDeskState: Codable, Sendable, Equatable {
  var text = ""
  var items: [Int] = []
  var shelf: [Int] = []
  var likes: [Int] = []
  var prices: [Int] = []
  var stock = 0
  var stamps: [Double] = []
  var failures = 0
  var log: [String] = []
}

struct OutOfStock: Error, Codable, Equatable {
  let item: Int
}

/// A shop with a quiet time, `paginate`, likes from inside a task, a retry at once and one after a while, streams, dates and errors.
// Sendable: it stores only `let`s.
final class ShopDesk: RxViewModel<ShopDeskAction, ShopDeskState>, @unchecked Sendable {
  struct Services: Sendable {
    let find: @Sendable (String) async throws -> [Int]
    let page: @Sendable (Int) async throws -> [Int]
    let shelf: @Sendable (Int) async throws -> [Int]
    let like: @Sendable (Int) async throws -> Int
    let stock: Observable<Int>
    let prices: Observable<Int>
    let queries: Observable<Int>
    let scrolls: Observable<Int>
    let now: @Sendable () -> Double
  }

  private let services: Services
  private let timers: any Scheduler

  init(on scheduler: (any Scheduler)?, _ services: Services) {
    self.services = services
    timers = scheduler ?? DispatchQueue(label: "timers")
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> ShopDeskState { ShopDeskState() }

  override func createSources() -> [Effect] {
    [services.stock.mutate { $0.stock = $1 }]
  }

  override func executionMode(for action: ShopDeskAction) -> ExecutionMode {
    switch action {
    case .search: .switchLatest("list", after: .milliseconds(1))
    case .more: .dropWhileBusy("list")
    case .openAll, .stamp: .parallelOrdered
    case .like: .sequence("likes")
    case .liked: .parallel
    case .watch: .switchLatest("prices")
    case .browse: .dropWhileBusy
    }
  }

  override func stateMapper(for error: any Error, action: ShopDeskAction) -> StateMapper<ShopDeskState>? {
    { state in
      var state = state
      state.failures += 1
      state.log.append("\(error)")
      return state
    }
  }

  override func createObservable(_ action: ShopDeskAction) -> Effect {
    let services = services
    switch action {
    case .search(let text):
      return .mutate { $0.text = text }.concat(
        Observable.task { try await services.find(text) }.retry(2).mutate { $0.items = $1 })
    case .more:
      let count = currentState.items.count
      let page = Observable.task { try await services.page(count) }
      return page.retry(2, delay: { _ in .milliseconds(1) }, scheduler: timers).mutate { $0.items += $1 }
    case .openAll:
      return Observable.task { [weak self] in
        for item in 0..<3 {
          let likes = try await services.like(item)
          self?.execute(.liked(likes))
        }
        return 3
      }.mutate { $0.log.append("opened \($1)") }
    case .like(let item):
      return Observable.task { try await services.like(item) }.mutate { $0.likes.append($1) }
    case .liked(let item): return .mutate { $0.likes.append(-item) }
    case .watch:
      return services.prices.take(3).mutate {
        $0.prices.append($1)
        $0.log.append("\($1)")
      }
    case .browse:
      let timers = timers
      return Observable.paginate(firstPage: services.queries, nextPage: services.scrolls.map { _ in }) { request in
        let first = request.cursor ?? request.parameters
        return Observable.task { Page(try await services.shelf(first), next: first + 1) }
          .retry(2, delay: { _ in .milliseconds(1) }, scheduler: timers)
      }.mutate { $0.shelf = $1.pages.items }
    case .stamp:
      let now = services.now()
      return .mutate { $0.stamps.append(now) }
    }
  }
}

func shopDesk(
  _ recorder: SessionRecorder, on scheduler: (any Scheduler)? = nil, _ services: ShopDesk.Services
) -> ShopDesk {
  recorder.encode(errors: OutOfStock.self)
  return recorder.record("shop") {
    ShopDesk(
      on: scheduler,
      ShopDesk.Services(
        find: { text in try await recorder.answer("find \(text)") { try await services.find(text) } },
        page: { page in try await recorder.answer("page \(page)") { try await services.page(page) } },
        shelf: { page in try await recorder.answer("shelf \(page)") { try await services.shelf(page) } },
        like: { item in try await recorder.answer("like \(item)") { try await services.like(item) } },
        stock: services.stock.recorded("stock", by: recorder),
        prices: services.prices.recorded("prices", by: recorder),
        queries: services.queries.recorded("queries", by: recorder),
        scrolls: services.scrolls.recorded("scrolls", by: recorder),
        now: { recorder.value("now") { services.now() } }))
  }
}
