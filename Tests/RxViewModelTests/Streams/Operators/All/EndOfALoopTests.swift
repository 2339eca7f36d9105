import Dispatch
import Foundation
import RxViewModel
import Testing

@testable import TestSupport

/// contract 1.4: a loop that keeps a thread busy ends at a dispose, at an operator's end and at a cancellation. In most tests it runs on the
/// queue of its `subscribe(on:)`.
struct EndOfALoopTests {
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
    // The loop occupies a thread of the pool, on which this test would wait for its turn.
    await onThread {
      #expect(reached.wait())
      task.cancel()
      attempts.areOver()
    }
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

// contract 1.4: an end that comes while a stream is being subscribed also stops the stream's further work
struct EndWhileSubscribingTests {
  @Test(arguments: [false, true])
  func noAttemptBeginsAfterAnEndThatComesFirst(isShared: Bool) async {
    let attempts = Attempts()
    await onThread {
      let loop = Observable<Int>.deferred { attempts.next() ? .error(TestError()) : .empty() }.retry(.max)
      let stream = loop.take(until: Observable.just(()))
      attempts.areOver()
      let recorder = Recorder<Int>()
      _ = (isShared ? stream.share() : stream).subscribe(recorder)
      #expect(recorder.end == "completed")
    }
    attempts.expectEnded()
  }

  @Test(arguments: [false, true])
  func noFurtherSourceBeginsAfterAnError(isShared: Bool) {
    let (begun, recorder) = (Locked(0), Recorder<Int>())
    let work = Observable<Int>.create { _ in
      begun.increment()
      return Disposables.create()
    }
    let stream = Observable.merge(.error(TestError()), work)
    _ = (isShared ? stream.share() : stream).subscribe(recorder)
    #expect(begun.value == 0 && recorder.end == "error")
  }

  @Test(arguments: [false, true])
  func aReplayIsCutOff(hasEnded: Bool) {
    let (subject, stop, calls) = (ReplaySubject<Int>(bufferSize: 1_000), PublishSubject<Int>(), Locked(0))
    for number in 0..<1_000 { subject.onNext(number) }
    if hasEnded { subject.onCompleted() }
    let silent = subject.filter { _ in
      calls.increment()
      stop.onNext(0)
      return false
    }
    _ = silent.take(until: stop).subscribe { _ in }
    #expect(calls.value == 1)
  }

  @Test func smoothedSendsNothingAfterADisposeInItsFirstElement() {
    let (seen, subscription, source) = (Locked<[Bool]>([]), SerialDisposable(), PublishSubject<Bool>())
    let smoothed = source.smoothed(delay: .zero, minimum: .zero, scheduler: ImmediateScheduler())
    subscription.replace(
      with: smoothed.subscribe(onNext: { value in
        seen.mutate { $0.append(value) }
        subscription.dispose()
      }))
    source.onNext(true)
    #expect(seen.value == [false])
  }

  // The first timer fires before `schedule` has returned. Each later timer replaces the previous one.
  @Test func aTimerThatFiresAtOnceDoesNotLoseTheNext() async {
    let (scheduler, source) = (FirstAtOnce(), PublishSubject<Int>())
    let subscription = source.debounce(.seconds(1), scheduler: scheduler).subscribe { _ in }
    for number in 0..<3 { source.onNext(number) }
    #expect(await eventually { scheduler.live.value.count == 1 })
    subscription.dispose()
    #expect(await eventually { scheduler.live.value.isEmpty })
  }
}

/// Runs the first delayed work on another thread before `schedule` returns, and never runs the others.
private final class FirstAtOnce: Scheduler {
  private let count = Locked(0)
  let live = Locked<Set<Int>>([])

  func schedule(_ work: @escaping @Sendable () -> Void) {
    Thread(block: work).start()
  }

  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    let number = count.increment()
    if number == 1 {
      onOtherThread(work)
      return Disposables.create()
    }
    live.mutate { _ = $0.insert(number) }
    return Disposables.create { [live] in live.mutate { _ = $0.remove(number) } }
  }
}
