import Foundation
import RxViewModel
import RxViewModelRecording

@testable import TestSupport

enum ShopDeskAction: Codable, Sendable, Hashable {
  case search(Int)
  case more
  case openAll
  case like(Int)
  case liked(Int)
  case watch
  case stamp
  case browse
}

struct ShopDeskState: Codable, Sendable, Equatable {
  var query = 0
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

/// What the shop calls. By default, nothing that a replay would notice.
struct ShopServices: Sendable {
  var ask: @Sendable (_ name: String, _ number: Int) async throws -> [Int] = { _, _ in throw CancellationError() }
  var stream: @Sendable (_ name: String) -> Observable<Int> = { _ in .never() }
  var now: @Sendable () -> Double = { 0 }

  func recorded(by recorder: SessionRecorder) -> ShopServices {
    ShopServices(
      ask: { [ask] name, number in try await recorder.answer("\(name) \(number)") { try await ask(name, number) } },
      stream: { [stream] name in stream(name).recorded(name, by: recorder) },
      now: { [now] in recorder.value("now") { now() } })
  }
}

typealias ShopDesk = ClosureViewModel<ShopDeskAction, ShopDeskState>

/// A shop with a debounce, `paginate`, likes from inside a task, a retry without and one with a delay, streams, dates and errors.
func shopDesk(
  _ recorder: SessionRecorder, on scheduler: (any Scheduler)? = nil, _ services: ShopServices = ShopServices()
) -> ShopDesk {
  recorder.encode(errors: OutOfStock.self)
  let services = services.recorded(by: recorder)
  let timers: any Scheduler = scheduler ?? DispatchQueue(label: "timers")
  return recorder.record("shop") {
    ShopDesk(ShopDeskState(), scheduler: scheduler) { model, action in
      effect(of: action, model, services, timers)
    } overrides: { overrides in
      overrides.sources = { _ in [services.stream("stock").mutate { $0.stock = $1 }] }
      overrides.mode = { _, action in
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
      overrides.errorMapper = { _, error, _ in
        { state in
          var state = state
          state.failures += 1
          state.log.append("\(error)")
          return state
        }
      }
    }
  }
}

private func effect(
  of action: ShopDeskAction, _ model: ShopDesk, _ services: ShopServices, _ timers: any Scheduler
) -> ShopDesk.Effect {
  switch action {
  case .search(let query):
    return .mutate { $0.query = query }.concat(
      Observable.task { try await services.ask("find", query) }.retry(2).mutate { $0.items = $1 })
  case .more:
    let count = model.currentState.items.count
    let page = Observable.task { try await services.ask("page", count) }
    return page.retry(2, delay: { _ in .milliseconds(1) }, scheduler: timers).mutate { $0.items += $1 }
  case .openAll:
    return Observable.task { [weak model] in
      for item in 0..<3 {
        let likes = try await services.ask("like", item)
        model?.execute(.liked(likes[0]))
      }
      return 3
    }.mutate { $0.log.append("opened \($1)") }
  case .like(let item):
    return Observable.task { try await services.ask("like", item) }.mutate { $0.likes += $1 }
  case .liked(let item): return .mutate { $0.likes.append(-item) }
  case .watch:
    return services.stream("prices").take(3).mutate {
      $0.prices.append($1)
      $0.log.append("\($1)")
    }
  case .browse:
    let scrolls = services.stream("scrolls").map { _ in }
    return Observable.paginate(firstPage: services.stream("queries"), nextPage: scrolls) { request in
      let first = request.cursor ?? request.parameters
      return Observable.task { Page(try await services.ask("shelf", first), next: first + 1) }
        .retry(2, delay: { _ in .milliseconds(1) }, scheduler: timers)
    }.mutate { $0.shelf = $1.pages.items }
  case .stamp:
    let now = services.now()
    return .mutate { $0.stamps.append(now) }
  }
}
