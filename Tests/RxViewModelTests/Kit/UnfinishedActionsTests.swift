import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 4.2: the view model reports its unfinished actions
struct UnfinishedActionsTests {
  private let scheduler = TestScheduler()

  private func names(_ screen: Screen) -> [String]? {
    screen.unfinishedActions?.map { "#\($0.id) \($0.action)\($0.hasStarted ? " at work" : "")" }
  }

  @Test func theyAreListedInTheOrderOfAcceptance() {
    let (screen, source) = (Screen(scheduler: scheduler), PublishSubject<Int>())
    #expect(names(screen) == [])
    screen.execute(Step("a", on: source), mode: .sequence)
    screen.execute(Step("b", on: source), mode: .sequence)
    screen.execute(Step("c"))
    screen.execute(Step("d"), mode: .switchLatest(after: .seconds(1)))
    #expect(names(screen) == ["#1 a", "#2 b", "#3 c", "#4 d"])
    scheduler.advance()
    #expect(names(screen) == ["#1 a at work", "#2 b", "#4 d"])
    source.onNext(1)
    source.onCompleted()
    #expect(names(screen) == ["#1 a at work", "#2 b", "#4 d"])
    scheduler.advance(by: .seconds(1))
    #expect(names(screen) == [])
  }

  // Reading the list schedules nothing, unlike a cancellation that matches no action.
  @Test func aCancelledActionIsUnfinishedUntilItsTurnAndNoneIsAfterClear() {
    let screen = Screen(scheduler: scheduler)
    for name in ["a", "b"] { screen.execute(Step(name, on: Observable<Int>.never())) }
    scheduler.advance()
    #expect(names(screen) == ["#1 a at work", "#2 b at work"] && scheduler.pendingCount == 0)
    screen.cancelActions { $0.name == "a" }
    #expect(names(screen) == ["#1 a at work", "#2 b at work"])
    scheduler.advance()
    #expect(names(screen) == ["#2 b at work"])
    screen.clear()
    #expect(names(screen) == [])
    scheduler.advance()
    #expect(names(screen) == [])
  }

  @Test func theCallbacksOfTheViewModelMayReadTheList() {
    let (screen, asked) = (Screen(scheduler: scheduler), Locked<[[String]?]>([]))
    let states = screen.stateObservable.subscribe(onNext: { [weak screen] _ in
      guard let screen else { return }
      asked.append(screen.unfinishedActions?.map(\.action.name))
    })
    screen.execute(Step("a"))
    screen.execute(Step("b"))
    scheduler.advance()
    #expect(asked.value == [[], ["a", "b"], ["b"]])
    states.dispose()
  }

  // While another thread runs the view model's work, the list is nil. Reading it does not wait for that thread.
  @Test func theListIsNilWhileAnotherThreadIsAtWork() async {
    let (inside, leave) = (Signal(), Signal())
    let screen = Screen()
    screen.execute(
      Step("a") {
        inside.fire()
        _ = leave.wait()
        return .unchanged()
      })
    #expect(
      await onThread {
        _ = inside.wait()
        defer { leave.fire() }
        return screen.unfinishedActions == nil
      })
  }
}
