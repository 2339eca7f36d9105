import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

@Suite struct TaskTests {
  // contract 1, task
  @Test func sendsTheResultOfTheOperation() async {
    let done = Signal()
    let observer = TestObserver<Int>()
    let subscription = Observable.task { 5 }.do(onDispose: { done.fire() }).subscribe(observer)
    #expect(await onThread { done.wait() })
    #expect(observer.events == [Recorded(.zero, .next(5)), Recorded(.zero, .completed)])
    subscription.dispose()
  }

  @Test func sendsTheErrorOfTheOperation() async {
    let done = Signal()
    let observer = TestObserver<Int>()
    let subscription = Observable<Int>.task { throw TestError() }.do(onDispose: { done.fire() }).subscribe(observer)
    #expect(await onThread { done.wait() })
    #expect(observer.error as? TestError == TestError())
    subscription.dispose()
  }

  // contract 1, task: disposing cancels the task; after that nothing is delivered
  @Test func disposingCancelsIt() async {
    let (started, cancelled) = (Signal(), Signal())
    let observer = Observable<Int>.task {
      started.fire()
      do {
        try await Task.sleep(for: .seconds(1_000))  // sleep: it is cancelled
      } catch {
        cancelled.fire()
        throw error
      }
      return 1
    }.test()
    #expect(await onThread { started.wait() })
    observer.dispose()
    #expect(await onThread { cancelled.wait() })
    #expect(observer.events.isEmpty)
  }
}
