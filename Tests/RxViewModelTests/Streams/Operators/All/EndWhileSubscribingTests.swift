import Foundation
import RxViewModel
import Testing

@testable import TestSupport

// contract 1.4: an end that comes while a stream is being subscribed also stops the stream's further work
@Suite struct EndWhileSubscribingTests {
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
      begun.mutate { $0 += 1 }
      return Disposables.create()
    }
    let stream = Observable.merge(.error(TestError()), work)
    _ = (isShared ? stream.share() : stream).subscribe(recorder)
    #expect(begun.value == 0)
    #expect(recorder.end == "error")
  }

  @Test(arguments: [false, true])
  func aReplayIsCutOff(hasEnded: Bool) {
    let (subject, stop, calls) = (ReplaySubject<Int>(bufferSize: 1_000), PublishSubject<Int>(), Locked(0))
    for number in 0..<1_000 { subject.onNext(number) }
    if hasEnded { subject.onCompleted() }
    let silent = subject.filter { _ in
      calls.mutate { $0 += 1 }
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
    let number = count.mutate { count in
      count += 1
      return count
    }
    if number == 1 {
      onOtherThread(work)
      return Disposables.create()
    }
    live.mutate { _ = $0.insert(number) }
    return Disposables.create { [live] in live.mutate { _ = $0.remove(number) } }
  }
}
