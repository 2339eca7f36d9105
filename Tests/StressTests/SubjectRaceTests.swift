import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

@Suite(.stress) struct SubjectRaceTests {
  // contract 1.5
  @Test func replayIsAtomicWhileAnotherThreadSends() async {
    for _ in 0..<100 {
      let subject = ReplaySubject<Int>(bufferSize: 1_000)
      let observers = Locked<[TestObserver<Int>]>([])
      await race(threads: 3) { thread in
        if thread == 0 {
          for number in 0..<500 { subject.onNext(number) }
        } else {
          for _ in 0..<10 {
            let observer = subject.test()
            observers.mutate { $0.append(observer) }
          }
        }
      }
      for observer in observers.value { #expect(observer.values == Array(0..<500)) }
    }
  }

  // contract 1.5: the replay contains the element that the subscribing thread sent last, or a newer one
  @Test func aSenderReadsItsOwnWrites() async {
    let subject = BehaviorSubject(value: (thread: 0, number: 0))
    let misses = Locked(0)
    await race(threads: 2) { thread in
      for number in 0..<5_000 {
        subject.onNext((thread, number))
        let first = Locked<(thread: Int, number: Int)?>(nil)
        let subscription = subject.subscribe(onNext: { value in first.mutate { if $0 == nil { $0 = value } } })
        if let first = first.value {
          if first.thread == thread, first.number < number { misses.mutate { $0 += 1 } }
        } else {
          misses.mutate { $0 += 1 }
        }
        subscription.dispose()
      }
    }
    #expect(misses.value == 0)
  }

  // contract 1.2
  @Test func twoSendersNeverOverlapAndNothingIsLost() async {
    let subject = PublishSubject<Int>()
    let (inside, overlaps, total) = (Locked(0), Locked(0), Locked(0))
    let sums = subject.scan(0) { $0 + $1 }.subscribe(onNext: { sum in total.mutate { $0 = sum } })
    let subscription = subject.subscribe(onNext: { _ in
      if inside.mutate({
        $0 += 1
        return $0
      }) > 1 {
        overlaps.mutate { $0 += 1 }
      }
      inside.mutate { $0 -= 1 }
    })
    await race(threads: 2) { _ in for _ in 0..<100_000 { subject.onNext(1) } }
    #expect(total.value == 200_000)
    #expect(overlaps.value == 0)
    sums.dispose()
    subscription.dispose()
  }
}
