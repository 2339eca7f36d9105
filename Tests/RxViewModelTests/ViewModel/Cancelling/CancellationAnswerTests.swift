import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.11: a request to cancel asks its predicate once about each action, and what the predicate answered counts, also while the view
// model is subscribing to the effect of the action
@Suite struct CancellationAnswerTests {
  /// A predicate for the action "a". It returns true only the first time that it is called.
  private final class FirstTimeOnly: Sendable {
    let calls = Locked(0)

    func matches(_ action: Step) -> Bool {
      action.name == "a"
        && calls.mutate { calls in
          calls += 1
          return calls == 1
        }
    }
  }

  enum Place: CaseIterable {
    /// On the scheduler, inside the subscription.
    case here
    /// On another thread, while the view model subscribes.
    case elsewhere
  }

  private func request(_ place: Place, _ body: @escaping @Sendable () -> Void) {
    switch place {
    case .here: body()
    case .elsewhere: #expect(onOtherThread(body))
    }
  }

  @Test(arguments: Place.allCases)
  func theActionEndsThoughALaterAnswerWouldBeNo(place: Place) {
    let (scheduler, predicate, disposed) = (TestScheduler(), FirstTimeOnly(), Locked(0))
    let screen = Screen(scheduler: scheduler)
    let journal = Journal(screen)
    let step = Step("a", spins: true) {
      .create { _ in
        request(place) { screen.cancelActions { predicate.matches($0) } }
        return Disposables.create { disposed.mutate { $0 += 1 } }
      }
    }
    screen.execute(step, mode: .sequence)
    screen.execute(Step("next"), mode: .sequence)
    scheduler.run()
    #expect(predicate.calls.value == 1)
    #expect(disposed.value == 1)
    let news = journal.news
    #expect(
      news.filter { $0 != "loading false" } == [
        "loading true", "a started", "a cancelled", "next started", "state next", "next made next", "next emitted next",
        "next completed next",
      ])
    #expect(news.count { $0 == "loading false" } == 1)
  }

  @Test(arguments: Place.allCases)
  func theActionGoesOnThoughALaterAnswerWouldBeYes(place: Place) {
    let (scheduler, calls, source) = (TestScheduler(), Locked(0), PublishSubject<Int>())
    let screen = Screen(scheduler: scheduler)
    let journal = Journal(screen)
    screen.execute(
      Step("a") {
        Observable.create { observer in
          request(place) {
            screen.cancelActions { action in
              action.name == "a"
                && calls.mutate { calls in
                  calls += 1
                  return calls > 1
                }
            }
          }
          return source.subscribe(observer)
        }.mutate { state, _ in state.append("a") }
      })
    scheduler.run()
    source.onNext(1)
    source.onCompleted()
    scheduler.run()
    #expect(calls.value == 1)
    #expect(journal.news == ["a started", "state a", "a made a", "a emitted a", "a completed a"])
  }

  // contract 2.11: the predicate runs on the calling thread, for the action that is being subscribed to and for the others
  @Test func allAreAskedOnTheCallingThread() {
    let (scheduler, asked, isInCall) = (TestScheduler(), Locked<[String]>([]), Locked(false))
    let screen = Screen(scheduler: scheduler)
    screen.execute(Step("before") { .never() })
    screen.execute(
      Step("a") {
        .create { _ in
          onOtherThread {
            isInCall.mutate { $0 = true }
            screen.cancelActions { action in
              asked.mutate { $0.append("\(action)\(isInCall.value ? " at once" : "")") }
              return true
            }
            isInCall.mutate { $0 = false }
          }
          return Disposables.create()
        }
      })
    screen.execute(Step("after") { .never() })
    let journal = Journal(screen)
    scheduler.run()
    #expect(asked.value == ["before at once", "a at once", "after at once"])
    #expect(
      journal.news.filter { $0.hasSuffix("cancelled") } == ["before cancelled", "a cancelled", "after cancelled"])
  }

  /// When the action of the effect is cancelled, and what the effect sends then.
  enum Point: CaseIterable {
    case beforeAnElement, beforeTheCompletion, beforeTheError, inAMapper, inAMapperThatThrows
    /// The effect has sent only its end.
    case afterTheCompletion, afterTheError

    var isInMapper: Bool { self == .inAMapper || self == .inAMapperThatThrows }

    var stream: Observable<String> {
      switch self {
      case .beforeAnElement, .inAMapper, .inAMapperThatThrows: .from(["1", "2"])
      case .beforeTheCompletion: .from(["1"])
      case .beforeTheError: .from(["1"]).concat(.error(TestError()))
      case .afterTheCompletion: .from([])
      case .afterTheError: .from([]).concat(.error(TestError()))
      }
    }
  }

  /// Folds "error" at an error, and cancels its action at the first fold.
  // Sendable: its properties are `let`s.
  private final class CancelledScreen: RxViewModel<String, [String]>, @unchecked Sendable {
    let phases = Locked<[String]>([])
    let count: Int
    let point: Point
    private let bag = DisposeBag()

    init(_ scheduler: any Scheduler, count: Int, point: Point) {
      (self.count, self.point) = (count, point)
      super.init(scheduler: scheduler)
      executionObservable.subscribe(onNext: { [weak self, phases, point] execution in
        phases.mutate { $0.append("\(execution.phase)".prefix { $0 != " " }.description) }
        if case .emitted = execution.phase, !point.isInMapper { self?.cancelActions { _ in true } }
      }).disposed(by: bag)
    }

    override func createInitialState() -> [String] { [] }

    override func createObservable(_ action: String) -> Effect {
      for _ in 0..<count { cancelActions { _ in false } }
      return point.stream.mutate { [weak self, point] state, element in
        if point.isInMapper { self?.cancelActions { _ in true } }
        if point == .inAMapperThatThrows { throw TestError() }
        state.append(element)
      }
    }

    override func stateMapper(for error: any Error, action: String) -> StateMapper<[String]>? {
      { $0 + ["error"] }
    }
  }

  // After 1,024 requests in one turn, the next turn handles the others. The answers count all the same.
  @Test(arguments: [0, 1_024, 2_000], Point.allCases)
  func theAnswerCountsBehindOtherRequests(count: Int, point: Point) {
    let scheduler = TestScheduler()
    let screen = CancelledScreen(scheduler, count: count, point: point)
    screen.execute("a")
    scheduler.run()
    #expect(
      screen.phases.value == (point.isInMapper ? ["started", "cancelled"] : ["started", "emitted", "cancelled"]))
    #expect(screen.currentState.count == (point.isInMapper || point == .afterTheCompletion ? 0 : 1))
  }

  @Test func anEffectWithoutEndEndsBehindManyRequestsOfOneCallback() {
    let (scheduler, bag, brake) = (TestScheduler(), DisposeBag(), 100_000)
    let screen = Screen(scheduler: scheduler)
    screen.executionObservable.subscribe(onNext: { execution in
      guard case .emitted = execution.phase else { return }
      for _ in 0..<1_030 { screen.cancelActions { _ in false } }
      screen.cancelActions { _ in true }
    }).disposed(by: bag)
    screen.execute(Step("a") { Observable.from(0..<brake).mutate { state, number in state = ["\(number)"] } })
    scheduler.run()
    #expect(screen.currentState == ["0"])
  }

  @Test func anActionThatHasEndedWhileItIsSubscribedToIsNotAskedAbout() {
    let (scheduler, bag, asked) = (TestScheduler(), DisposeBag(), Locked(0))
    let screen = Screen(scheduler: scheduler)
    let journal = Journal(screen)
    screen.executionObservable.subscribe(onNext: { execution in
      if case .completed = execution.phase {
        screen.cancelActions { _ in
          asked.mutate { $0 += 1 }
          return false
        }
      }
    }).disposed(by: bag)
    screen.execute(
      Step("a") {
        .create { observer in
          observer.onCompleted()
          return Disposables.create()
        }
      })
    scheduler.run()
    #expect(journal.news.last == "a completed ")
    #expect(asked.value == 0)
  }

  // The calls of the predicate, which runs on the requesting thread, are not part of the request.
  @Test func anActionThatThePredicateExecutesIsNotMeant() {
    let (scheduler, bag) = (TestScheduler(), DisposeBag())
    let screen = Screen(scheduler: scheduler)
    screen.execute(
      Step("a") {
        .create { _ in
          screen.cancelActions { action in
            if action.name == "a" { screen.execute(Step("late")) }
            return true
          }
          return Disposables.create()
        }
      })
    scheduler.run()
    #expect(screen.currentState == ["late"])
    bag.dispose()
  }

  @Test func aCancelledPerformReturnsThoughALaterAnswerWouldBeNo() async {
    let (predicate, screen) = (FirstTimeOnly(), Screen())
    let step = Step("a", spins: true) {
      .create { _ in
        screen.cancelActions { predicate.matches($0) }
        return Disposables.create()
      }
    }
    let task = Task { try await screen.perform(step) }
    let isOver = Locked(false)
    let end = Task {
      await #expect(throws: CancellationError.self) { try await task.value }
      isOver.mutate { $0 = true }
    }
    #expect(await eventually { predicate.calls.value > 0 })
    screen.execute(Step("next"))
    #expect(await eventually { screen.currentState == ["next"] })
    if predicate.calls.value != 1 { task.cancel() }
    await end.value
    #expect(predicate.calls.value == 1)
  }
}
