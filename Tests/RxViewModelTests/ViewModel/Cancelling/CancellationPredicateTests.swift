import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.11: `cancelActions` asks its predicate once about each unfinished action, on the calling thread, before it returns
struct CancellationPredicateTests {
  private let scheduler = TestScheduler()

  // The call comes while the view model subscribes to the effect of "a". A later answer would be another one.
  @Test(arguments: [true, false], [true, false])
  func itsFirstAnswerCounts(isYes: Bool, isElsewhere: Bool) {
    let (calls, disposed, bag) = (Locked(0), Locked(0), DisposeBag())
    let screen = Screen(scheduler: scheduler)
    let fates = screen.fates()
    let cancel: @Sendable () -> Void = {
      screen.cancelActions { action in
        action.name == "a" && isYes == (calls.increment() == 1)
      }
    }
    let step = Step("a") {
      .create { observer in
        if isElsewhere { onOtherThread(cancel) } else { cancel() }
        observer.onCompleted()
        return Disposables.create { disposed.mutate { $0 += 1 } }
      }
    }
    screen.execute(step, mode: .sequence)
    screen.execute(Step("next"), mode: .sequence)
    scheduler.run()
    #expect(calls.value == 1)
    #expect(disposed.value == 1)
    #expect(
      fates.values == ["a started", isYes ? "a cancelled" : "a completed", "next started", "next completed"])
    bag.dispose()
  }

  // The predicate runs on the calling thread, for the action that is being subscribed to and for the others
  @Test func allAreAskedOnTheCallingThread() {
    let (asked, isInCall) = (Locked<[String]>([]), Locked(false))
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
    let ends = screen.ends()
    scheduler.run()
    #expect(asked.value == ["before at once", "a at once", "after at once"])
    #expect(ends.values == ["before cancelled", "a cancelled", "after cancelled"])
  }

  @Test func anActionThatHasEndedWhileItIsSubscribedToIsNotAskedAbout() {
    let (bag, asked) = (DisposeBag(), Locked(0))
    let screen = Screen(scheduler: scheduler)
    let fates = screen.fates()
    screen.at("a completed", in: bag) { screen.cancelActions { _ in asked.increment() < 0 } }
    screen.execute(
      Step("a") {
        .create { observer in
          observer.onCompleted()
          return Disposables.create()
        }
      })
    scheduler.run()
    #expect(fates.values == ["a started", "a completed"])
    #expect(asked.value == 0)
  }

  // The calls of the predicate, which runs on the requesting thread, are not part of the request.
  @Test func anActionThatThePredicateExecutesIsNotMeant() {
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
  }

  // A predicate may request a cancellation, and send a mapper.
  @Test func aPredicateMayCancelAndSend() {
    let screen = Screen(scheduler: scheduler)
    let source = PublishSubject<Int>()
    screen.execute(Step("source", on: source))
    scheduler.run()
    let journal = Journal(screen)
    screen.execute(Step("a"))
    screen.execute(Step("b"))
    screen.cancelActions { action in
      if action.name == "a" {
        screen.cancelActions { $0.name == "a" }
        source.onNext(1)
      }
      return action.name == "a"
    }
    scheduler.run()
    #expect(journal.news.filter { $0.hasPrefix("a ") } == ["a cancelled"])
    #expect(screen.currentState == ["b", "source"])
  }
}
