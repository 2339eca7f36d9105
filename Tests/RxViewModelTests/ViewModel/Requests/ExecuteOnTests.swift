import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.6 and the table: streams of actions
struct ExecuteOnTests {
  @Test func executesEachElementAndReportsTheError() {
    let scheduler = TestScheduler()
    let lifetimes = Lifetimes()
    var screen: Screen? = Screen(scheduler: scheduler, tracker: lifetimes.make())
    let journal = Journal(screen!)
    let actions = PublishSubject<Step>()
    let subscription = actions.execute(on: screen!)
    actions.onNext(Step("a"))
    actions.onError(TestError("oops"))
    scheduler.run()
    #expect(journal.news.suffix(2) == ["error oops", "no action failed with oops"])
    #expect(screen?.currentState == ["a"])
    #expect(screen?.handled.value == ["oops of no action"])
    screen = nil
    #expect(lifetimes.alive == 0)
    subscription.dispose()
  }
}
