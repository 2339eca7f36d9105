import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 8.5
struct PageMapperTests {
  private let service: PagingService
  private let scheduler: TestScheduler

  init() {
    service = PagingService(failing: [500])
    scheduler = service.scheduler
  }

  private func makeViewModel(
    _ mode: ExecutionMode = .parallel,
    request: (@Sendable (PageRequest<Int, Int>) -> Observable<Page<Int, Int>>)? = nil
  ) -> PagesViewModel {
    PagesViewModel(scheduler: scheduler, mode: mode, request: request ?? service.page)
  }

  /// Executes each action at its time, in milliseconds, and runs the scheduler until it has no work.
  private func play(_ actions: KeyValuePairs<Int, PagesAction>, on viewModel: PagesViewModel) {
    for (time, action) in actions {
      _ = scheduler.schedule(after: .milliseconds(time)) { viewModel.execute(action) }
    }
    scheduler.run()
  }

  private func history(of observer: TestObserver<PagesState>) -> [String] {
    observer.events.map { recorded in
      guard case .next(let state) = recorded.event else { return "\(recorded)" }
      return "\(milliseconds(recorded.time)): \(text(state.results))"
    }
  }

  @Test(arguments: [
    ExecutionMode.parallel, .parallelOrdered, .parallelDeferred, .sequence("list"), .switchLatest("list"),
    .dropWhileBusy("list"),
  ])
  func loadsPageAfterPageInEachMode(mode: ExecutionMode) {
    let viewModel = makeViewModel(mode)
    let states = viewModel.stateObservable.test(scheduler)
    play([0: .search(1), 20: .scrolledToEnd, 40: .scrolledToEnd], on: viewModel)
    #expect(
      history(of: states) == ["0: []", "0: []", "10: [1]", "20: [1]", "30: [1, 2]", "40: [1, 2]", "50: [1, 2] end"])
    #expect(service.log == ["0: first page of 1", "20: cursor 2 of 1", "40: cursor 3 of 1"])
  }

  @Test(arguments: [ExecutionMode.parallelOrdered, .parallelDeferred, .sequence("list")])
  func aPageAfterAnotherIsRequestedWhenItsFirstMapperHasRun(mode: ExecutionMode) {
    let viewModel = makeViewModel(mode)
    let states = viewModel.stateObservable.test(scheduler)
    play([0: .search(1), 5: .scrolledToEnd], on: viewModel)
    #expect(history(of: states) == ["0: []", "0: []", "10: [1]", "10: [1]", "20: [1, 2]"])
    #expect(service.log == ["0: first page of 1", "10: cursor 2 of 1"])
  }

  // contract 8.2, 8.5
  @Test func anErrorIsInTheListAndFailsTheAction() {
    let viewModel = makeViewModel()
    let (errors, states) = (viewModel.actionAndErrorObservable.test(), viewModel.stateObservable.test(scheduler))
    play([470: .search(1), 500: .scrolledToEnd, 520: .scrolledToEnd], on: viewModel)
    #expect(errors.values.map(\.action) == [.scrolledToEnd])
    #expect(errors.values.allSatisfy { $0.error is TestError })
    #expect(
      history(of: states).suffix(4) == ["500: [1]", "510: [1] failed", "520: [1] failed", "530: [1, 2]"])
  }

  @Test func atTheEndTheStateIsEmittedOnceAndNothingIsRequested() {
    let viewModel = makeViewModel()
    play([0: .search(3), 20: .scrolledToEnd], on: viewModel)
    let (states, phases) = (viewModel.stateObservable.test(scheduler), viewModel.executionObservable.test())
    let (before, requests) = (viewModel.currentState, service.log)
    #expect(!before.results.hasMore)
    play([40: .scrolledToEnd], on: viewModel)
    #expect(states.values == [before, before])
    #expect(service.log == requests)
    #expect(phases.values.map(\.phase) == [.started, .emitted(before), .completed(before)])
  }

  @Test func aStateThatBeginLeavesWithoutARequestIsNotChanged() {
    let mappers = Observable<StateMapper<PagesState>>.page(
      \.results,
      {
        $0.items = [9]
        return nil
      }, request: service.page)
    let state = Locked(PagesState())
    _ = mappers.subscribe(onNext: { mapper in state.mutate { $0 = (try? mapper($0)) ?? $0 } })
    #expect(state.value == PagesState() && service.log == [])
  }

  #if os(macOS) || os(Linux)
    // contract 8.1, 8.5: a request that the list has not made, or not last
    @Test(.ownThread) func aRequestWhoseAnswerTheListWouldIgnoreIsReported() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let (requests, mappers) = (Locked(0), Locked<[StateMapper<PagesState>]>([]))
        let byHand = PageRequest<Int, Int>(parameters: 1)
        var (state, older) = (PagesState(), PagesState())
        let old = older.results.begin(2)
        for request in [byHand, old, nil] {
          mappers.mutate { $0 = [] }
          _ = Observable<StateMapper<PagesState>>.page(\.results, { request ?? $0.begin(3) }) { _ in
            requests.mutate { $0 += 1 }
            return .empty()
          }.subscribe(onNext: { mappers.append($0) })
          // The first mapper makes the second, if there is one.
          state = try mappers.value[0](state)
          if mappers.value.count > 1 { state = try mappers.value[1](state) }
        }
        #expect(requests.value == 1 && text(state.results) == "[] end")
        older.results.receive(.success(Page([1], next: nil)), for: byHand)
        #expect(older.results.items == [])
      }
      let reason = "begin has to return the list's request"
      #expect(
        reports(result)
          == inDebugBuilds(
            "RxViewModel: page requests nothing for 1: \(reason)",
            "RxViewModel: page requests nothing for 2: \(reason)",
            "RxViewModel: an answer for 1 does nothing, because no list has made its request"))
    }
  #endif

  // contract 2.11
  @Test func aPageWhoseActionIsCancelledIsRequestedAgain() {
    let viewModel = makeViewModel()
    _ = scheduler.schedule(after: .milliseconds(25)) { viewModel.cancelActions { $0 == .scrolledToEnd } }
    play([0: .search(1), 20: .scrolledToEnd, 40: .scrolledToEnd], on: viewModel)
    #expect(
      service.log == ["0: first page of 1", "20: cursor 2 of 1", "25: disposed", "40: cursor 2 of 1"])
    #expect(viewModel.currentState.results.items == [1, 2])
  }

  // contract 2.6, 8.2
  @Test func aRequestThatEndsWithACancellationErrorCountsAsCancelled() {
    let viewModel = makeViewModel { _ in Observable.error(CancellationError()) }
    let (errors, phases) = (viewModel.errorObservable.test(), viewModel.executionObservable.test())
    play([0: .search(1)], on: viewModel)
    #expect(errors.values.isEmpty && viewModel.currentState.results.error == nil)
    #expect(viewModel.currentState.results.hasMore && phases.lastValue?.phase == .cancelled)
  }

  @Test func aRequestWithoutAPageIsAnEmptyLastPageAndOfTwoPagesTheFirstCounts() {
    let viewModel = makeViewModel { request in
      request.parameters == 1 ? .empty() : .of(Page([7], next: nil), Page([8], next: nil))
    }
    play([0: .search(1)], on: viewModel)
    #expect(text(viewModel.currentState.results) == "[] end")
    play([1: .search(2)], on: viewModel)
    #expect(text(viewModel.currentState.results) == "[7] end")
  }

  // contract 1.4
  @Test func disposingReleasesTheClosuresOfTheMappers() {
    let (lifetimes, answers) = (Lifetimes(), PublishSubject<Page<Int, Int>>())
    let mappers = Locked<[StateMapper<PagesState>]>([])
    let subscription = {
      let object = lifetimes.make()
      return Observable<StateMapper<PagesState>>.page(
        \.results, { $0.begin(1) },
        request: { _ in
          object.touch()
          return answers.asObservable()
        }
      ).subscribe(onNext: { mapper in mappers.mutate { $0.append(mapper) } })
    }()
    // The first mapper runs later than it was sent, as it does in a lane that holds it.
    _ = try? mappers.value[0](PagesState())
    #expect(answers.hasObservers)
    subscription.dispose()
    #expect(!answers.hasObservers && lifetimes.alive == 0)
  }
}

// contract 8.5: a service whose answer contains more than the page
struct PageAnswerTests {
  struct Answer: Sendable, Equatable {
    var numbers: [Int]
    var next: Int?
    var total: Int
  }

  struct State: Sendable, Equatable {
    var list = Pages<String, Int, Int>()
    var total: Int?
  }

  private enum Action: Sendable, Equatable {
    case search(String)
    case more
  }

  private final class Catalog: RxViewModel<Action, State>, @unchecked Sendable {  // Sendable: it stores one `let`.
    let answers: @Sendable (PageRequest<String, Int>) -> Observable<Answer>

    init(answers: @escaping @Sendable (PageRequest<String, Int>) -> Observable<Answer>) {
      self.answers = answers
      super.init(scheduler: ImmediateScheduler())
    }

    override func createInitialState() -> State { State() }

    override func createObservable(_ action: Action) -> Effect {
      switch action {
      case .search(let text): page { $0.begin(text) }
      case .more: page { $0.nextRequest }
      }
    }

    private func page(
      _ begin: @escaping @Sendable (inout Pages<String, Int, Int>) -> PageRequest<String, Int>?
    ) -> Effect {
      .page(
        \.list, begin, append: { items, new in items += new.filter { !items.contains($0) } }, request: answers,
        page: { Page($0.numbers, next: $0.next) }, updating: { $0.total = $1.total })
    }
  }

  @Test func theRestOfAnAnswerIsFoldedWithItsPage() {
    let catalog = Catalog { request in
      .just(Answer(numbers: request.cursor == nil ? [1, 2] : [2, 3], next: request.cursor == nil ? 1 : nil, total: 3))
    }
    let states = catalog.stateObservable.map { "\($0.list.items) \($0.total ?? 0)" }.test()
    catalog.execute(.search("a"))
    catalog.execute(.more)
    // `append:` omits the item that the list contains already.
    #expect(states.values == ["[] 0", "[] 0", "[1, 2] 3", "[1, 2] 3", "[1, 2, 3] 3"])
  }

  @Test func anAnswerThatTheListDoesNotAcceptChangesNothingElse() {
    let (old, new) = (PublishSubject<Answer>(), PublishSubject<Answer>())
    let catalog = Catalog { $0.parameters == "old" ? old.asObservable() : new.asObservable() }
    catalog.execute(.search("old"))
    catalog.execute(.search("new"))
    new.onNext(Answer(numbers: [1], next: nil, total: 1))
    old.onNext(Answer(numbers: [9], next: nil, total: 9))
    #expect(catalog.currentState.list.items == [1] && catalog.currentState.total == 1)
  }
}
