import Foundation
import RxViewModel
import Testing

@testable import TestSupport

// contract 1.4: a smaller version of EndlessLoopTests
@Suite(.serialized) struct SynchronousEndTests {
  @Test(arguments: EndlessLoop.all)
  func takeUntilEndsALoopOnAnotherThread(loop: EndlessLoop) async {
    let (attempts, lifetimes, stop, isCompleted) = (Attempts(), Lifetimes(), PublishSubject<Int>(), Locked(false))
    await onThread {
      let reached = Signal()
      attempts.atThousandth { reached.fire() }
      Thread {
        _ = loop.stream(attempts, lifetimes.make()).take(until: stop)
          .subscribe(onCompleted: { isCompleted.mutate { $0 = true } })
      }.start()
      #expect(reached.wait())
      stop.onNext(0)
      attempts.areOver()
      #expect(lifetimes.waitForNone())
    }
    attempts.expectEnded()
    #expect(isCompleted.value)
  }

  @Test(arguments: EndlessLoop.all)
  func aDisposeFromInsideALoopEndsIt(loop: EndlessLoop) async {
    let (attempts, lifetimes, source) = (Attempts(), Lifetimes(), PublishSubject<Int>())
    await onThread {
      let subscription: any Disposable
      do {
        let stream = loop.stream(attempts, lifetimes.make())
        subscription = source.flatMapLatest { _ in stream }.subscribe { _ in }
      }
      attempts.atThousandth {
        subscription.dispose()
        attempts.areOver()
      }
      source.onNext(0)
      #expect(lifetimes.waitForNone())
    }
    attempts.expectEnded()
  }
}
