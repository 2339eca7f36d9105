import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

@Suite struct MergeAndConcatTests {
  // contract 1.2: an error that comes while another source's element is being delivered waits, and is not dropped
  @Test func anErrorInsideACallbackComesAfterEarlierElements() {
    let (a, b, c) = (PublishSubject<Int>(), PublishSubject<Int>(), PublishSubject<Int>())
    let recorder = Recorder<Int> { event in
      guard case .next(1) = event else { return }
      b.onNext(2)
      c.onError(TestError())
      b.onNext(3)
    }
    let subscription = Observable.merge([a, b, c].map { $0.asObservable() }).subscribe(recorder)
    a.onNext(1)
    #expect(recorder.elements == [1, 2])
    #expect(recorder.end == "error")
    #expect(recorder.faults == [])
    #expect(!a.hasObservers)
    #expect(!b.hasObservers)
    subscription.dispose()
  }

  // contract 1.4: the second source disposes the subscription while it is being subscribed, and may still send
  @Test(arguments: ["just", "from", "create", "empty", "error"])
  func aDisposeWhileASourceIsBeingSubscribedCutsItOff(kind: String) {
    let (subject, serial, events) = (PublishSubject<Int>(), SerialDisposable(), Locked(0))
    let second = Observable<Int>.deferred {
      serial.dispose()
      switch kind {
      case "just": return .just(1)
      case "from": return .from([1, 2])
      case "empty": return .empty()
      case "error": return .error(TestError())
      default: return .create { Observable.just(1).subscribe($0) }
      }
    }
    serial.replace(with: subject.concat(second).subscribe { _ in events.increment() })
    subject.onCompleted()
    #expect(events.value == 0)
  }

  // contract 1.2: a source that completes while `merge` subscribes to another one makes way for the next at once, so this misses nothing
  @Test func theNextSourceBeginsWhenThePreviousOneCompletes() {
    let (a, b, seen) = (PublishSubject<Int>(), PublishSubject<Int>(), Locked<[Int]>([]))
    let subscription = a.concat(b.asObservable()).merge(with: Observable.just(0)).subscribe(onNext: { number in
      seen.mutate { $0.append(number) }
      guard number == 0 else { return }
      a.onCompleted()
      b.onNext(5)
    })
    b.onNext(6)
    #expect(seen.value == [0, 5, 6])
    subscription.dispose()
  }
}
