import Dispatch
import RxViewModel
import Testing

@testable import TestSupport

/// contract 1.4: a loop that keeps a thread busy ends at a dispose, at an operator's end and at a cancellation. In most tests it runs on the
/// queue of its `subscribe(on:)`.
@Suite struct EndOfALoopTests {
  @Test(arguments: EndlessLoop.all)
  func aDisposeEnds(loop: EndlessLoop) async {
    await check(loop) { stream in
      let subscription = stream.subscribe { _ in }
      return { subscription.dispose() }
    }
  }

  @Test(arguments: EndlessLoop.all)
  func anotherStreamEnds(loop: EndlessLoop) async {
    await check(loop) { stream in
      let (other, ends) = (PublishSubject<Void>(), Locked(0))
      _ = stream.take(until: other).subscribe(onCompleted: { ends.increment() })
      return {
        other.onNext(())
        #expect(ends.value == 1)
      }
    }
  }

  // contract 2.11
  @Test(arguments: EndlessLoop.all)
  func aCancellationEnds(loop: EndlessLoop) async {
    await check(loop) { stream in
      let viewModel = Screen()
      viewModel.execute(Step("loop", on: stream))
      return {
        let isCancelled = Signal()
        let subscription = viewModel.executionObservable.subscribe { execution in
          if case .cancelled = execution.phase { isCancelled.fire() }
        }
        // It does not wait for the view model's scheduler, which disposes the effect.
        viewModel.cancelActions { _ in true }
        #expect(isCancelled.wait())
        subscription.dispose()
      }
    }
  }

  @Test(arguments: EndlessLoop.all)
  func theCancellationOfFirstEnds(loop: EndlessLoop) async {
    await check(loop) { stream in
      let task = Task.detached { try await stream.first() }
      return { task.cancel() }
    }
  }

  // The loop runs on the thread of the task, inside `first()`.
  @Test func theCancellationOfFirstEndsALoopOnItsThread() async {
    let (attempts, lifetimes, reached) = (Attempts(), Lifetimes(), Signal())
    attempts.atThousandth { reached.fire() }
    let task: Task<Int?, any Error>
    do {
      let stream = EndlessLoop.all[0].stream(attempts, lifetimes.make())
      task = Task.detached { try await stream.first() }
    }
    #expect(await onThread { reached.wait() })
    task.cancel()
    attempts.areOver()
    await #expect(throws: CancellationError.self) { try await task.value }
    attempts.expectEnded()
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

  /// - Parameter begin: Subscribes, and returns the call that ends the loop.
  private func check(
    _ loop: EndlessLoop, _ begin: @escaping @Sendable (Observable<Int>) -> @Sendable () -> Void
  ) async {
    let (attempts, lifetimes, queue) = (Attempts(), Lifetimes(), DispatchQueue(label: "loop"))
    await onThread {
      let reached = Signal()
      attempts.atThousandth { reached.fire() }
      let end = begin(loop.stream(attempts, lifetimes.make()).subscribe(on: queue))
      #expect(reached.wait())
      end()
      attempts.areOver()
      // The loop has ended when the queue runs other work.
      let isFree = Signal()
      queue.async { isFree.fire() }
      #expect(isFree.wait())
      withExtendedLifetime(end) {}
    }
    attempts.expectEnded()
    #expect(await onThread { lifetimes.waitForNone() })
  }
}
