import Dispatch
import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// Calls the test's closure in `createInitialState`.
private final class Beginner: RxViewModel<String, [String]>, @unchecked Sendable {  // Sendable: it stores only `let`s.
  let work: @Sendable (Beginner) -> Void
  let creations = Locked(0)

  init(scheduler: (any Scheduler)?, _ work: @escaping @Sendable (Beginner) -> Void) {
    self.work = work
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> [String] {
    creations.mutate { $0 += 1 }
    work(self)
    return ["initial"]
  }

  override func createObservable(_ action: String) -> Effect {
    action == "never" ? .never() : action == "fail" ? .error(TestError()) : .mutate { $0.append(action) }
  }

  override func showSpinner(_ action: String) -> Bool { true }

  /// The tests provoke errors that no subscriber receives, and the default would write a line for each.
  override func diagnose(_ diagnostic: ViewModelDiagnostic<String>) {}
}

// contract 2.4: calls from inside `createInitialState`
struct InitialStateTests {
  // contract 2.1: the scheduler runs the turn on a thread of its own before `schedule` returns, while `init` still runs on this one
  @Test(.ownThread) func anActionExecutedInItRunsOnTheScheduler() {
    struct Elsewhere: Scheduler {
      func schedule(_ work: @escaping @Sendable () -> Void) { onOtherThread(work) }
      func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
        Disposables.create()
      }
    }
    let threads = Locked<[ObjectIdentifier]>([])
    let here = ObjectIdentifier(Thread.current)
    let beginner = Beginner(scheduler: Elsewhere()) { beginner in
      _ = beginner.stateObservable.subscribe(onNext: { _ in
        threads.mutate { $0.append(ObjectIdentifier(Thread.current)) }
      }
      )
      beginner.execute("a")
    }
    #expect(beginner.currentState == ["initial", "a"])
    // The initial state on the thread of `init`, that of the action on the scheduler's.
    #expect(threads.value.map { $0 == here } == [true, false])
  }

  // While the view model makes its initial state, the scheduler runs all work that it has been given.
  @Test(arguments: [SchedulerKind.ownQueue, .concurrentQueue, .immediate, .hand])
  func anActionExecutedInItStartsAfterTheInitialState(kind: SchedulerKind) async {
    let (scheduler, done) = (kind.scheduler(), Signal())
    let beginner = Beginner(scheduler: scheduler) { beginner in
      beginner.execute("a")
      beginner.execute("b", mode: .sequence)
      beginner.executeInSequence("c", "d")
      let hasRun = Signal()
      beginner.scheduler.schedule { hasRun.fire() }
      (beginner.scheduler as? HandScheduler)?.run()
      #expect(hasRun.wait())
    }
    (scheduler as? HandScheduler)?.run()
    let subscription = beginner.stateObservable.subscribe(onNext: { if $0.last == "d" { done.fire() } })
    #expect(await onThread { done.wait() })
    #expect(beginner.currentState == ["initial", "a", "b", "c", "d"])
    #expect(beginner.creations.value == 1)
    subscription.dispose()
  }

  @Test(arguments: [SchedulerKind.immediate, .hand])
  func aSubscriptionMadeInItGetsTheInitialState(kind: SchedulerKind) {
    let (lines, bag, scheduler) = (Locked<[String]>([]), DisposeBag(), kind.scheduler())
    let beginner = Beginner(scheduler: scheduler) { beginner in
      func note<Element>(_ stream: Observable<Element>, _ text: @escaping @Sendable (Element) -> String) {
        stream.subscribe(
          onNext: { element in lines.mutate { $0.append(text(element)) } },
          onCompleted: { lines.mutate { $0.append("end") } }
        ).disposed(by: bag)
      }
      note(beginner.stateObservable) { "state \($0)" }
      note(beginner.actionAndStateObservable) { "made \($0.state)" }
      note(beginner.errorObservable) { "error \($0)" }
      note(beginner.actionAndErrorObservable) { "error of \($0.action ?? "no action")" }
      note(beginner.isLoadingObservable) { "loading \($0)" }
      note(beginner.isLoadingObservable(where: { _ in true })) { "busy \($0)" }
      note(beginner.executionObservable) { "\($0.phase)" }
    }
    #expect(lines.value == ["loading false", "busy false", "state [\"initial\"]"])
    beginner.execute("a")
    beginner.execute("fail")
    (scheduler as? HandScheduler)?.run()
    let states = ["state [\"initial\", \"a\"]", "made [\"initial\", \"a\"]", "emitted [\"initial\", \"a\"]"]
    let first = ["loading true", "busy true", "started"] + states + ["completed [\"initial\", \"a\"]"]
    let second = ["loading true", "busy true", "started", "error test error", "error of fail", "failed: test error"]
    let idle = ["loading false", "busy false"]
    #expect(Array(lines.value.dropFirst(3)) == first + idle + second + idle)
    bag.dispose()
  }

  @Test(arguments: SchedulerKind.allCases)
  func anActionPerformedInItFinishes(kind: SchedulerKind) async throws {
    let (scheduler, performing) = (kind.scheduler(), Locked<Task<[String], any Error>?>(nil))
    let beginner = Beginner(scheduler: scheduler) { beginner in
      performing.mutate { $0 = Task { try await beginner.perform("a") } }
    }
    if let hand = scheduler as? HandScheduler {
      #expect(await onThread { hand.scheduled.wait() })
      hand.run()
    }
    #expect(try await performing.value?.value == ["initial", "a"])
    withExtendedLifetime(beginner) {}
  }

  // contract 2.6, 2.11: a cancellation concerns only actions that were executed before it, and the error of a stream of actions is reported
  @Test(arguments: [SchedulerKind.immediate, .hand])
  func aCancellationAndAnErrorInItCount(kind: SchedulerKind) {
    let (fates, errors) = (Locked<TestObserver<String>?>(nil), Locked<TestObserver<String>?>(nil))
    let (bag, scheduler) = (DisposeBag(), kind.scheduler())
    let beginner = Beginner(scheduler: scheduler) { beginner in
      fates.mutate { $0 = beginner.fates() }
      errors.mutate { $0 = beginner.errorObservable.map { "\($0)" }.test() }
      beginner.execute("a")
      beginner.cancelActions { _ in true }
      beginner.execute("never")
      Observable<String>.error(TestError()).execute(on: beginner).disposed(by: bag)
    }
    (scheduler as? HandScheduler)?.run()
    #expect(fates.value?.values == ["a cancelled", "never started"])
    #expect(errors.value?.values == ["test error"])
    #expect(beginner.currentState == ["initial"])
    bag.dispose()
  }

  // contract 2.9: `clear` is called there, or in a callback that receives the initial state
  @Test(arguments: [SchedulerKind.immediate, .hand], [true, false])
  func clearInItCompletesTheStreams(kind: SchedulerKind, isInCallback: Bool) {
    let (events, bag, scheduler) = (Locked<[String]>([]), DisposeBag(), kind.scheduler())
    let beginner = Beginner(scheduler: scheduler) { beginner in
      beginner.stateObservable.subscribe(
        onNext: { [weak beginner] state in
          events.mutate { $0.append("\(state)") }
          if isInCallback { beginner?.clear() }
        }, onCompleted: { events.mutate { $0.append("end") } }
      ).disposed(by: bag)
      beginner.execute("a")
      if !isInCallback { beginner.clear() }
    }
    beginner.execute("b")
    (scheduler as? HandScheduler)?.run()
    #expect(events.value == (isInCallback ? ["[\"initial\"]", "end"] : ["end"]))
    #expect(beginner.currentState == ["initial"])
    #expect(beginner.stateObservable.test().events == [Recorded(.zero, .completed)])
    bag.dispose()
  }

  // contract 2.5
  @Test func theStreamsStartWithTheInitialState() {
    let screen = Screen(scheduler: TestScheduler())
    #expect(screen.currentState == [] && screen.stateObservable.test().values == [[]])
    #expect(screen.isLoadingObservable.test().values == [false])
    #expect(screen.actionAndStateObservable.test().events.isEmpty)
    #expect(screen.errorObservable.test().events.isEmpty)
    #expect(screen.executionObservable.test().events.isEmpty)
    #expect(screen.initialStates.value == 1)
  }

  // contract 2, misuse: the trap names the class and the override that it lacks
  @Test(.ownThread) func aMissingOverrideIsNamed() async throws {
    // Sendable: it stores nothing.
    final class Incomplete: RxViewModel<Int, Int>, @unchecked Sendable {}
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { _ = Incomplete() })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("Incomplete must override createInitialState()"))
  }
}
