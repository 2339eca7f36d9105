import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

@Suite struct ConcatTests {
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
      default:
        return .create { observer in
          observer.onNext(1)
          observer.onCompleted()
          return Disposables.create()
        }
      }
    }
    serial.replace(with: subject.concat(second).subscribe { _ in events.mutate { $0 += 1 } })
    subject.onCompleted()
    #expect(events.value == 0)
  }
}

@Suite struct CompositeLifetimeTests {
  // contract 1.4: a subscription does not keep its source alive; both are released when no producer can send any more
  @Test(arguments: ["concat", "startWith", "merge", "nested"])
  func theSubscriptionDoesNotRetainItsSource(kind: String) {
    let lifetimes = Lifetimes()
    var subject: PublishSubject<Int>? = PublishSubject()
    do {
      let object = lifetimes.make()
      let source = subject!.asObservable()
      let stream =
        switch kind {
        case "concat": Observable.empty().concat(source).concat(Observable.just(1))
        case "startWith": source.startWith(1)
        case "merge": Observable.never().merge(with: source)
        default: source.startWith(1).merge(with: source).concat(Observable.just(1))
        }
      _ = stream.subscribe { _ in object.touch() }
    }
    #expect(lifetimes.alive == 1)
    subject = nil
    #expect(lifetimes.alive == 0)
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
