import Foundation
import RxViewModel
import Testing

@testable import TestSupport

// contract 1.3: no lock of the library takes part in a lock inversion. After a deadlock the wait times out, and the test fails.
@Suite(.stress, .serialized) struct InversionTests {
  // Two streams that forward into each other, from two threads.
  @Test(arguments: OperatorCase.all, SourceCase.allCases)
  func forwardingIntoEachOther(by operation: OperatorCase, of kind: SourceCase) async {
    let (a, b, bag, object) = (kind.make(), kind.make(), DisposeBag(), Lifetimes().make())
    let (atA, atB) = (Locked(0), Locked(0))
    operation.apply(a.stream, object).subscribe(onNext: { number in
      if number >= 0 { atA.mutate { $0 += 1 } }
      if number > 0 { b.send(number - 1) }
    }).disposed(by: bag)
    operation.apply(b.stream, object).subscribe(onNext: { number in
      if number >= 0 { atB.mutate { $0 += 1 } }
      if number > 0 { a.send(number - 1) }
    }).disposed(by: bag)
    let hasFinished = await finish(
      { for _ in 0..<100 { a.send(3) } },
      { for _ in 0..<100 { b.send(3) } })
    #expect(hasFinished)
    #expect(atA.value == 400)
    #expect(atB.value == 400)
    bag.dispose()
  }

  // A thread sends, subscribes and disposes while it holds a lock for which a callback on another thread waits.
  @Test(arguments: OperatorCase.all, SourceCase.allCases)
  func sendingSubscribingAndDisposingUnderALockOfTheUsers(_ operation: OperatorCase, of kind: SourceCase) async {
    let (source, lock, inside, object) = (kind.make(), NSLock(), Signal(), Lifetimes().make())
    let stream = operation.apply(source.stream, object)
    let (seen, wasInside) = (Locked<[Int]>([]), Locked(false))
    let subscription = stream.subscribe(onNext: { number in
      seen.mutate { $0.append(number) }
      guard number == 1 else { return }
      inside.fire()
      lock.withLock {}
    })
    let other = stream.subscribe(onNext: { _ in })
    let isHeld = Signal()
    let hasFinished = await finish(
      {
        guard isHeld.wait() else { return }
        source.send(1)
      },
      {
        lock.withLock {
          isHeld.fire()
          let isInside = inside.wait()
          wasInside.mutate { $0 = isInside }
          source.send(2)
          stream.subscribe(onNext: { _ in }).dispose()
          other.dispose()
          subscription.dispose()
          source.send(.completed)
        }
      })
    #expect(hasFinished)
    #expect(wasInside.value)
    #expect(seen.value.filter { $0 >= 0 } == [1])
  }
}
