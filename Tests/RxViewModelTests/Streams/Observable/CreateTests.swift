import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

struct CreateTests {
  // contract 1, 1.4: the disposable that the closure of `create` returns runs once, and before the terminal event is passed on
  @Test(arguments: [
    ("dispose", ["open", "close"]), ("completed", ["open", "close", "end"]), ("error", ["open", "close", "end"]),
    ("cut off", ["open", "close", "end"]), ("completed inside", ["open", "end", "close"]),
  ])
  func itsResourceIsDisposedOnce(end: String, expected: [String]) {
    let source = Producer { if end == "completed inside" { $0.onCompleted() } }
    let subscription = source.stream.map { _ in throw TestError() }
      .subscribe { (_: Event<Int>) in source.log.append("end") }
    switch end {
    case "completed": source.observer.onCompleted()
    case "error": source.observer.onError(TestError())
    case "cut off": source.observer.onNext(1)
    default: break
    }
    subscription.dispose()
    subscription.dispose()
    #expect(source.log.value == expected)
  }

  // contract 1.8
  @Test func deferredCallsItsFactoryPerSubscription() {
    let calls = Locked(0)
    let source = Observable<Int>.deferred { .just(calls.increment()) }
    #expect(calls.value == 0 && source.test().values + source.test().values == [1, 2])
    #expect(Observable<Int>.deferred { throw TestError() }.test().error as? TestError == TestError())
  }

  // contract 1.4: also behind an operator that drops the elements, and does not pass on that the subscription has ended
  @Test func anEndStopsASequenceWithin256Elements() {
    let (last, end) = (Locked(0), PublishSubject<Void>())
    let observer = Observable.from(1...Int.max).filter { number in
      last.mutate { $0 = number }
      if number == 1_000 { end.onNext(()) }
      return number > 100_000
    }.take(until: end).test()
    #expect(observer.isCompleted && last.value <= 1_000 + 256)
  }
}

struct TaskTests {
  // contract 1, task
  @Test(arguments: [true, false])
  func sendsTheResultOfTheOperation(fails: Bool) async {
    let (done, recorder) = (Signal(), Recorder<Int>())
    let source = Observable.task {
      if fails { throw TestError() }
      return 5
    }
    let subscription = source.subscribe { event in
      recorder.on(event)
      if case .next = event { return }
      done.fire()
    }
    #expect(await onThread { done.wait() })
    #expect(recorder.elements == (fails ? [] : [5]) && recorder.end == (fails ? "error" : "completed"))
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
