// The code of the article on actions, state and effects, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// MARK: State

nonisolated struct CheckoutState: Sendable, Equatable {
  enum Delivery: Sendable, Equatable {
    case pickup
    case courier(address: String)
  }

  var prices: [Int] = []
  var delivery = Delivery.pickup

  var total: Int { prices.reduce(0, +) }

  var canOrder: Bool {
    switch delivery {
    case .pickup: !prices.isEmpty
    case .courier(let address): !prices.isEmpty && !address.isEmpty
    }
  }
}

struct ActionsStateAndEffectsTests {
  @Test func aCheckoutKnowsWhetherTheUserCanOrder() {
    let address = CheckoutState.Delivery.courier(address: "1 Main Street")
    let states = [
      CheckoutState(prices: [3, 4], delivery: .courier(address: "")), CheckoutState(prices: [3, 4], delivery: address),
      CheckoutState(prices: [3, 4]), CheckoutState(delivery: address), CheckoutState(),
    ]
    #expect(states.map(\.canOrder) == [false, true, true, false, false])
    #expect(states.map(\.total) == [7, 7, 7, 0, 0])
  }

  @Test func aSearch() async throws {
    let viewModel = SearchViewModel { text in [text.uppercased()] }
    let state = try await viewModel.perform(.search("swift"))
    #expect(state.results == ["SWIFT"])
  }

  @Test func typingExecutesActions() {
    let scheduler = TestScheduler()
    let viewModel = CounterViewModel(scheduler: scheduler)
    let taps = PublishSubject<Void>()
    let bag = DisposeBag()
    taps.map { _ in CounterAction.increment }.execute(on: viewModel).disposed(by: bag)
    taps.onNext(())
    taps.onNext(())
    scheduler.run()
    #expect(viewModel.currentState == 2)
  }
}

// MARK: A request every 30 seconds

nonisolated enum QuoteAction: Sendable, Equatable {
  case follow
}

nonisolated struct QuoteState: Sendable, Equatable {
  var price: Int?
  var isOutdated = false
}

final class QuoteViewModel: RxViewModel<QuoteAction, QuoteState>, @unchecked Sendable {
  private let fetch: @Sendable () async throws -> Int

  init(scheduler: (any Scheduler)? = nil, fetch: @escaping @Sendable () async throws -> Int) {
    self.fetch = fetch
    super.init(initialState: QuoteState(), scheduler: scheduler)
  }

  override func onResume(_ scope: DisposeBag) { execute(.follow, in: scope) }

  override func createObservable(_ action: QuoteAction) -> Effect {
    let fetch = fetch
    return Observable.timer(after: .zero, every: .seconds(30), scheduler: scheduler).flatMapFirst { _ in
      Observable.task(fetch).mutate { $0 = QuoteState(price: $1) }
        .catch { _ in .mutate { $0.isOutdated = true } }
    }
  }
}

// contract 2.12
struct PeriodicRequestTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aFailedRequestDoesNotEndTheLaterOnes() {
    let (scheduler, calls) = (TestScheduler(), BehaviorSubject(value: 0))
    let viewModel = QuoteViewModel(scheduler: scheduler) {
      let call = calls.update { calls in
        calls += 1
        return calls
      }
      if call == 2 { throw Offline() }
      return call
    }
    viewModel.didResume()
    scheduler.advance()
    #expect(viewModel.currentState == QuoteState(price: 1))
    scheduler.advance(by: .seconds(30))
    #expect(viewModel.currentState == QuoteState(price: 1, isOutdated: true))
    scheduler.advance(by: .seconds(30))
    #expect(viewModel.currentState == QuoteState(price: 3))
    viewModel.didPause()
    scheduler.run()
    #expect(calls.value == 3)
  }
}

// MARK: A service with callbacks

nonisolated protocol SearchRequest: Sendable {
  func cancel()
}

nonisolated protocol SearchService: Sendable {
  func search(_ text: String, completion: @escaping @Sendable (Result<[String], any Error>) -> Void)
    -> any SearchRequest
}

nonisolated extension SearchService {
  func results(for text: String) -> Observable<[String]> {
    .create { observer in
      let request = search(text) { result in
        switch result {
        case .success(let results):
          observer.onNext(results)
          observer.onCompleted()
        case .failure(let error):
          observer.onError(error)
        }
      }
      return Disposables.create { request.cancel() }
    }
  }
}

struct CallbackTests {
  /// Answers when the test sends a result, and counts the requests that are cancelled.
  private struct Service: SearchService, SearchRequest {
    let answers = PublishSubject<Result<[String], any Error>>()
    let cancellations = BehaviorSubject(value: 0)

    func search(_ text: String, completion: @escaping @Sendable (Result<[String], any Error>) -> Void)
      -> any SearchRequest
    {
      _ = answers.subscribe(onNext: completion)
      return self
    }

    func cancel() { cancellations.update { $0 += 1 } }
  }

  @Test func theStreamHasTheEventsOfTheCallbackAndItsDisposeCancelsTheRequest() {
    let service = Service()
    let (search, disposed) = (service.results(for: "a").test(), service.results(for: "b").test())
    #expect(service.cancellations.value == 0)
    disposed.dispose()
    #expect(service.cancellations.value == 1)
    service.answers.onNext(.success(["a"]))
    #expect(search.values == [["a"]] && search.isCompleted && disposed.events.isEmpty)
    let failing = service.results(for: "ab").test()
    service.answers.onNext(.failure(Offline()))
    #expect(failing.error is Offline)
  }
}
