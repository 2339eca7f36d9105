import RxViewModel
import RxViewModelTesting
import Testing

@Suite struct ConcatTests {
  // contract 1.4: disposed by what runs when a source is subscribed, which may then go on to send
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
