import RxViewModelTesting
import Testing

@testable import RxViewModel
@testable import TestSupport

/// Its sources are the streams that the test passes. Its actions add their names.
private final class Follower: RxViewModel<String, [String]>, @unchecked Sendable {  // Sendable: it stores only `let`s.
  let errors = Locked<[String]>([])
  private let sources: @Sendable (Follower) -> [Effect]
  private let object: Lifetimes.Object?

  init(
    scheduler: (any Scheduler)? = nil, initialState: [String]? = nil, object: Lifetimes.Object? = nil,
    _ sources: @escaping @Sendable (Follower) -> [Effect]
  ) {
    self.sources = sources
    self.object = object
    super.init(initialState: initialState, scheduler: scheduler)
  }

  override func createInitialState() -> [String] { ["made"] }
  override func createSources() -> [Effect] { sources(self) }
  override func createObservable(_ action: String) -> Effect {
    action == "never" ? .never() : .mutate { $0.append(action) }
  }

  override func handleError(_ error: any Error, action: String?) -> Bool {
    errors.mutate { $0.append("\(action ?? "no action"): \(error)") }
    return true
  }
}

extension ObservableType where Element == Int {
  fileprivate var appended: Observable<StateMapper<[String]>> { self.mutate { $0.append("\($1)") } }
}

// contract 2.17
struct SourceTests {
  // A badge for a cart with three items must not begin with another number.
  @Test func theElementOfASourceIsPartOfTheInitialState() {
    let (cart, scheduler) = (MutableProperty(3), TestScheduler())
    let screens = (0..<2).map { _ in Follower(scheduler: scheduler) { _ in [cart.asObservable().appended] } }
    let observers = screens.map { $0.stateObservable.test() }
    scheduler.run()
    cart.update { $0 += 1 }
    scheduler.run()
    for observer in observers { #expect(observer.values == [["made", "3"], ["made", "3", "4"]]) }
    withExtendedLifetime(screens) {}
  }

  @Test func anInitialStateStandsInForCreateInitialState() {
    let screen = Follower(scheduler: ImmediateScheduler(), initialState: ["given"]) { _ in [] }
    #expect(screen.currentState == ["given"])
    #expect(Follower(scheduler: ImmediateScheduler()) { _ in [] }.currentState == ["made"])
  }

  // The streams are subscribed in order. A subscription that is made before gets only the result.
  @Test func subscribersMadeInInitGetOnlyTheResult() {
    let early = Recorder<[String]>()
    let screen = Follower(scheduler: TestScheduler()) { follower in
      _ = follower.stateObservable.subscribe(early)
      return [Observable.of(1, 2).appended, Observable.just(3).appended]
    }
    #expect(early.elements == [["made", "1", "2", "3"]])
    screen.clear()
  }

  @Test func anElementOfAnotherThreadIsFoldedAfterInit() async {
    let subject = PublishSubject<Int>()
    let scheduler = TestScheduler()
    let screen = await onThread {
      Follower(scheduler: scheduler) { _ in
        let foreign = Observable<Int>.create { observer in
          let subscription = subject.subscribe(observer)
          observer.onNext(1)
          onOtherThread { subject.onNext(2) }
          return subscription
        }
        return [foreign.appended]
      }
    }
    #expect(screen.currentState == ["made", "1"])
    let observer = screen.stateObservable.test()
    scheduler.run()
    #expect(observer.values == [["made", "1"], ["made", "1", "2"]])
    withExtendedLifetime(screen) {}
  }

  // contract 2.17: No element overtakes an earlier one of its source, and no end drops one.
  @Test(arguments: ["next", "completed", "error"])
  func theEventAfterAnElementOfAnotherThreadWaitsToo(second: String) async {
    let scheduler = TestScheduler()
    let screen = await onThread {
      Follower(scheduler: scheduler) { _ in
        let foreign = Observable<Int>.create { observer in
          onOtherThread { observer.onNext(1) }
          switch second {
          case "completed": observer.onCompleted()
          case "error": observer.onError(TestError("lost"))
          default: observer.onNext(2)
          }
          return Disposables.create()
        }
        return [foreign.appended]
      }
    }
    #expect(screen.currentState == (second == "next" ? ["made", "1", "2"] : ["made", "1"]))
    scheduler.run()
    #expect(screen.errors.value == (second == "error" ? ["no action: lost"] : []))
  }

  @Test func noSourceIsFoldedAfterAClearInInit() {
    let calls = Locked<[String]>([])
    let screen = Follower(scheduler: TestScheduler()) { follower in
      let first = Observable.of(1, 2).map { number -> StateMapper<[String]> in
        { state in
          calls.mutate { $0.append("mapper \(number)") }
          follower.clear()
          return state
        }
      }
      let second = Observable<Int>.deferred {
        calls.mutate { $0.append("second") }
        return .just(3)
      }
      return [first, second.appended]
    }
    #expect(calls.value == ["mapper 1"])
    #expect(screen.stateObservable.test().isCompleted)
  }

  @Test func manyElementsAreOneInitialState() async {
    let count = await onThread(stackSize: smallStack) {
      let screen = ClosureViewModel<Int, Int>(0, scheduler: TestScheduler()) {
        $0.effect = { _, _ in .never() }
        $0.sources = { _ in [Observable.from(0..<20_000).mutate { sum, _ in sum += 1 }] }
      }
      #expect(screen.stateObservable.test().values.count == 1)
      return screen.currentState
    }
    #expect(count == 20_000)
  }

  @Test(arguments: [true, false])
  func anErrorEndsItsSourceAndNotTheOthers(isInInit: Bool) {
    let (scheduler, first, second) = (TestScheduler(), ReplaySubject<Int>(bufferSize: 10), PublishSubject<Int>())
    if isInInit {
      first.onNext(1)
      first.onError(TestError("lost"))
    }
    // A cancellation is no error.
    let screen = Follower(scheduler: scheduler) { _ in
      [first.asObservable().appended, .error(CancellationError()), second.asObservable().appended]
    }
    #expect(screen.errors.value == [])
    if !isInInit {
      first.onNext(1)
      first.onError(TestError("lost"))
    }
    second.onNext(2)
    scheduler.run()
    #expect(screen.currentState == ["made", "1", "2"])
    #expect(screen.errors.value == ["no action: lost"])
  }

  @Test(arguments: [true, false])
  func aMapperThatThrowsEndsItsSourceAndLeavesTheState(isInInit: Bool) {
    let (scheduler, subject, disposals) = (TestScheduler(), ReplaySubject<Int>(bufferSize: 10), Locked(0))
    if isInInit { for number in 1...3 { subject.onNext(number) } }
    let screen = Follower(scheduler: scheduler) { _ in
      [
        subject.do(onDispose: { disposals.mutate { $0 += 1 } }).map { number in
          { state in
            if number == 2 { throw TestError("two") }
            return state + ["\(number)"]
          }
        }
      ]
    }
    if !isInInit { for number in 1...3 { subject.onNext(number) } }
    scheduler.run()
    #expect(screen.currentState == ["made", "1"])
    #expect(screen.errors.value == ["no action: two"])
    #expect(!subject.hasObservers)
    #expect(disposals.value == 1)
  }

  // The element and the completion arrive inside the view model's own work, and wait together.
  @Test func aSourceThatCompletesIsForgotten() {
    let subject = PublishSubject<Int>()
    let screen = Follower(scheduler: ImmediateScheduler()) { _ in [subject.take(1).appended] }
    let subscription = screen.stateObservable.subscribe(onNext: { if $0.last == "a" { subject.onNext(1) } })
    screen.execute("a")
    #expect(screen.currentState == ["made", "a", "1"])
    #expect(screen.engine.shared.withLock { $0.runs.isEmpty })
    subscription.dispose()
  }

  @Test func aSourceIsNoAction() {
    let (scheduler, subject, bag) = (TestScheduler(), PublishSubject<Int>(), DisposeBag())
    let screen = Follower(scheduler: scheduler) { _ in [subject.asObservable().appended] }
    let executions = screen.executionObservable.test()
    let states = screen.actionAndStateObservable.test()
    let loading = screen.isLoadingObservable(where: { _ in true }).test()
    screen.cancelActions { _ in true }
    subject.onNext(1)
    screen.cancelActions { _ in true }
    scheduler.run()
    #expect(screen.currentState == ["made", "1"])
    #expect(executions.values.count == 0)
    #expect(states.values.count == 0)
    #expect(loading.values == [false])
    bag.dispose()
  }

  @Test func anElementComesBeforeTheActionsThatItsThreadExecutesLater() async {
    let subject = PublishSubject<Int>()
    let screen = Follower { _ in [subject.asObservable().appended] }
    for number in 0..<100 {
      subject.onNext(number)
      screen.execute("a\(number)")
    }
    #expect(await eventually { screen.currentState.count == 201 })
    let taken: [String] = (0..<100).flatMap { ["\($0)", "a\($0)"] }
    #expect(screen.currentState == ["made"] + taken)
  }

  @Test func anActionExecutedInCreateSourcesStartsAfterInit() {
    let screen = Follower(scheduler: ImmediateScheduler()) { follower in
      follower.execute("a")
      return [Observable.just(1).appended]
    }
    #expect(screen.currentState == ["made", "1", "a"])
  }

  // An element that waits does not keep the view model alive.
  @Test(arguments: [true, false])
  func theEndDisposesTheSources(isCleared: Bool) {
    let (subject, lifetimes, scheduler) = (PublishSubject<Int>(), Lifetimes(), TestScheduler())
    var screen: Follower? = Follower(scheduler: scheduler, object: lifetimes.make()) { [object = lifetimes.make()] _ in
      [subject.do(onNext: { _ in object.touch() }).appended]
    }
    subject.onNext(1)
    if isCleared { screen?.clear() } else { screen = nil }
    #expect(!subject.hasObservers)
    screen = nil
    #expect(lifetimes.alive == 0)
    scheduler.run()
  }

  @Test(arguments: [true, false])
  func theViewModelMayEndInsideAMapperOfASource(isCleared: Bool) {
    let (subject, scheduler, held) = (PublishSubject<Int>(), TestScheduler(), Locked<Follower?>(nil))
    let screen = Follower(scheduler: scheduler) { _ in
      [
        subject.map { _ in
          { state in
            if isCleared { held.value?.clear() }
            held.mutate { $0 = nil }
            return state + ["late"]
          }
        }
      ]
    }
    held.mutate { $0 = screen }
    let observer = screen.stateObservable.test()
    subject.onNext(1)
    scheduler.run()
    #expect(screen.currentState == (isCleared ? ["made"] : ["made", "late"]))
    #expect(observer.isCompleted == isCleared)
    #expect(subject.hasObservers != isCleared)
  }

  @Test func aStoreNamesTheChangesOfSourcesAndAsksForNoEnd() throws {
    let (subject, scheduler) = (PublishSubject<Int>(), TestScheduler())
    let screen = Follower(scheduler: scheduler) { _ in [subject.asObservable().appended] }
    try withTestStore(screen) { store in
      subject.onNext(1)
      try store.advance { $0.append("1") }
      try store.send("a") { $0.append("a") }
      subject.onNext(2)
      try store.advance()
      #expect(throws: TestFailure.self) { try store.advance() }
      try store.expect { $0.append("2") }
    }
  }

  // *Troubleshooting and questions* says this of an action that changes a shared value.
  @Test func theStateOfAnActionContainsWhatItHasChangedInASource() {
    let (cart, scheduler) = (MutableProperty(0), TestScheduler())
    let screen = ClosureViewModel<Int, Int>(0, scheduler: scheduler) { _, count in
      cart.update { $0 += count }
      return .unchanged()
    } overrides: {
      $0.sources = { _ in [cart.asObservable().mutate { $0 = $1 }] }
    }
    let states = screen.actionAndStateObservable.test()
    screen.execute(3)
    scheduler.run()
    #expect(states.values.map(\.state) == [3])
    withExtendedLifetime(screen) {}
  }

  // The log does not count the change of a source as one of the next action.
  @Test func theLogShowsOnlyWhatTheActionChanges() {
    let (subject, scheduler, lines) = (PublishSubject<Int>(), TestScheduler(), Locked<[String]>([]))
    let screen = Follower(scheduler: scheduler) { _ in [subject.asObservable().appended] }
    let log = screen.log { line in lines.mutate { $0.append(line) } }
    subject.onNext(1)
    screen.execute("a")
    scheduler.run()
    #expect(
      lines.value == [
        #"#1 "a" parallel: started"#, ##"#1 "a": ["made", "1"] → ["made", "1", "a"]"##,
      ])
    log.dispose()
  }

  // contract 2.5
  @Test(.ownThread) func readingTheStateInCreateSourcesIsTrapped() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Follower { follower in
          _ = follower.currentState
          return []
        }
      })
    let places = "createInitialState(), which makes it, or createSources()"
    #expect(
      String(decoding: result.standardErrorContent, as: UTF8.self)
        .contains("Follower: currentState was read inside \(places)"))
  }
}

// contract 2.17
@Suite(.stress) struct SourceRaceTests {
  @Test func screensFollowASharedValueThatEightThreadsChange() async {
    let (threads, count) = (8, 500)
    let total = MutableProperty(0)
    let made = Locked<[Follower]>([])
    await race(threads: threads) { number in
      for _ in 0..<count { total.update { $0 += 1 } }
      let screen = Follower { _ in [total.asObservable().mutate { $0 = ["\($1)"] }] }
      made.mutate { $0.append(screen) }
      for _ in 0..<count { total.update { $0 += 1 } }
    }
    let last = ["\(threads * count * 2)"]
    for screen in made.value { #expect(await eventually { screen.currentState == last }) }
  }

  @Test func aSourceThatSendsWhileItsViewModelIsReleasedLeaksNothing() async {
    let (subject, lifetimes) = (PublishSubject<Int>(), Lifetimes())
    await race(threads: 8) { number in
      for value in 0..<200 {
        if number < 4 {
          subject.onNext(value)
        } else {
          let screen = Follower(object: lifetimes.make()) { _ in [subject.asObservable().appended] }
          if value % 2 == 0 { screen.clear() }
        }
      }
    }
    #expect(await eventually { lifetimes.alive == 0 && !subject.hasObservers })
  }
}
