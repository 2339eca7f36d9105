import RxViewModel
import RxViewModelTesting
import Testing

@Suite struct EveryOperatorTests {
  enum End: CaseIterable {
    case dispose, complete, error, release, disposeInside
  }

  // contract 1.4: nothing that the subscription captured is alive behind its end, though its disposable is
  @Test(arguments: AnyOperator.all, End.allCases)
  func releasesWhatItCaptured(operation: AnyOperator, end: End) {
    let lifetimes = Lifetimes()
    var subject: PublishSubject<Int>? = PublishSubject()
    let serial = SerialDisposable()
    do {
      let object = lifetimes.make()
      let subscription = operation.apply(subject!.asObservable(), lifetimes.make()).subscribe { event in
        object.touch()
        if case .next(2) = event, end == .disposeInside { serial.dispose() }
      }
      serial.replace(with: subscription)
    }
    subject?.onNext(1)
    #expect(lifetimes.alive == 2)
    switch end {
    case .dispose: serial.dispose()
    case .complete: subject?.onCompleted()
    case .error: subject?.onError(TestError())
    case .release: subject = nil
    case .disposeInside: subject?.onNext(2)
    }
    #expect(lifetimes.alive == 0)
    #expect(subject?.hasObservers != true)
    withExtendedLifetime(serial) {}
  }

  // contract 1.1, 1.2: sends from inside the callback wait their turn, in order
  @Test(arguments: AnyOperator.all)
  func sendsFromInsideTheCallback(operation: AnyOperator) {
    let (subject, lifetimes) = (PublishSubject<Int>(), Lifetimes())
    let (seen, depth) = (Locked<[Int]>([]), Locked(0))
    let subscription = operation.apply(subject.asObservable(), lifetimes.make()).subscribe(onNext: { number in
      #expect(
        depth.mutate {
          $0 += 1
          return $0
        } == 1)
      if number > 0 { seen.mutate { $0.append(number) } }
      if (1..<5).contains(number) { subject.onNext(number + 1) }
      depth.mutate { $0 -= 1 }
    })
    subject.onNext(1)
    #expect(seen.value == [1, 2, 3, 4, 5])
    subscription.dispose()
  }

  // contract 1.2: two threads, one at a time, nothing lost
  @Test(arguments: AnyOperator.all)
  func sendsFromTwoThreads(operation: AnyOperator) async {
    let (subject, lifetimes) = (PublishSubject<Int>(), Lifetimes())
    let (sum, inside, overlaps) = (Locked(0), Locked(0), Locked(0))
    let subscription = operation.apply(subject.asObservable(), lifetimes.make()).subscribe(onNext: { number in
      if inside.mutate({
        $0 += 1
        return $0
      }) > 1 {
        overlaps.mutate { $0 += 1 }
      }
      sum.mutate { $0 += number }
      inside.mutate { $0 -= 1 }
    })
    await race(threads: 2) { _ in for _ in 0..<1_000 { subject.onNext(1) } }
    #expect(overlaps.value == 0)
    #expect(sum.value == 2_000)
    subscription.dispose()
  }

  // contract 1.4: disposed on one thread while another delivers, at any moment
  @Test(arguments: AnyOperator.all)
  func disposedWhileDelivering(operation: AnyOperator) async {
    let lifetimes = Lifetimes()
    for _ in 0..<50 {
      let subject = PublishSubject<Int>()
      let subscription = operation.apply(subject.asObservable(), lifetimes.make()).subscribe(onNext: { _ in })
      await race(threads: 2) { thread in
        if thread == 0 {
          for number in 0..<20 { subject.onNext(number) }
        } else {
          subscription.dispose()
        }
      }
      #expect(!subject.hasObservers)
    }
    #expect(lifetimes.alive == 0)
  }

  // contract 1.4: an end downstream cuts off what a replay has still to deliver, and releases the source
  @Test(arguments: AnyOperator.all)
  func cutOffInTheMiddleOfAReplay(operation: AnyOperator) {
    let (subject, lifetimes) = (ReplaySubject<Int>(bufferSize: 10), Lifetimes())
    (1...10).forEach(subject.onNext)
    let observer = operation.apply(subject.asObservable(), lifetimes.make()).map { number in
      if number == 3 { throw TestError() }
      return number
    }.test()
    #expect(observer.values.filter { $0 > 0 } == [1, 2])
    #expect(observer.error as? TestError == TestError())
    #expect(!subject.hasObservers)
    #expect(lifetimes.alive == 0)
  }
}
