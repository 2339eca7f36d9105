import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

// contract 1.10: a call delivers at most 1,024 of the elements that other threads have sent.
@Suite(.stress) struct WaitingElementsBoundTests {
  static let bound = 1_040

  /// An operator that subscribes to one inner stream at a time. The test passes the inner stream of element 0.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (Observable<Int>, _ first: Observable<Int>) -> Observable<Int>

    init(_ name: String, _ apply: @escaping @Sendable (Observable<Int>, Observable<Int>) -> Observable<Int>) {
      testDescription = name
      self.apply = apply
    }

    static let all = [
      Case("concatMap to just") { source, first in source.concatMap { $0 == 0 ? first : .just($0) } },
      Case("concatMap to from") { source, first in source.concatMap { $0 == 0 ? first : .from([$0]) } },
      Case("concatMap to create") { source, first in
        source.concatMap { number in
          number == 0
            ? first
            : .create { observer in
              observer.onNext(number)
              observer.onCompleted()
              return Disposables.create()
            }
        }
      },
      Case("flatMap(maxConcurrent: 1) to just") { source, first in
        source.flatMap(maxConcurrent: 1) { $0 == 0 ? first : .just($0) }
      },
      Case("flatMap(maxConcurrent: 1) to from") { source, first in
        source.flatMap(maxConcurrent: 1) { $0 == 0 ? first : .from([$0]) }
      },
      Case("concat()") { source, first in source.map { $0 == 0 ? first : .of($0) }.concat() },
    ]
  }

  enum End: CaseIterable {
    case completed, error
  }

  private static let count = 100_000

  @Test(arguments: Case.all, End.allCases)
  func theEndOfAnInnerStreamDeliversABoundedNumber(through operation: Case, thenSource end: End) async {
    let (source, first) = (PublishSubject<Int>(), PublishSubject<Int>())
    let (sender, here, done) = (Locked<Thread?>(nil), Locked(0), Signal())
    let recorder = Recorder<Int> { event in
      if Thread.current === sender.value { here.mutate { $0 += 1 } }
      if case .next(Self.count) = event { done.fire() }
    }
    let subscription = operation.apply(source.asObservable(), first.asObservable()).subscribe(recorder)
    let deliveredHere = await onThread {
      #expect(onOtherThread { for number in 0...Self.count { source.onNext(number) } })
      sender.mutate { $0 = .current }
      first.onCompleted()
      return here.value
    }
    #expect(deliveredHere <= Self.bound)
    #expect(await onThread { done.wait() })
    // Compared outside `#expect`, so that a failure does not print all elements.
    let isInOrder = recorder.elements == Array(1...Self.count)
    #expect(isInOrder)
    source.on(end == .completed ? .completed : .error(TestError()))
    #expect(await eventually { recorder.end == (end == .completed ? "completed" : "error") })
    #expect(recorder.faults == [])
    subscription.dispose()
  }

  // contract 1.4: the dispose comes from inside the callback of an element, on the thread that delivers it.
  @Test(arguments: Case.all, [500, 5_000])
  func aDisposeInTheMiddleEndsTheDelivery(through operation: Case, at last: Int) async {
    let (source, first, lifetimes) = (PublishSubject<Int>(), PublishSubject<Int>(), Lifetimes())
    let (subscription, seen) = (Locked<(any Disposable)?>(nil), Locked<[Int]>([]))
    await onThread {
      do {
        let object = lifetimes.make()
        let stream = operation.apply(source.asObservable(), first.asObservable()).subscribe(onNext: { number in
          object.touch()
          seen.mutate { $0.append(number) }
          if number == last { subscription.value!.dispose() }
        })
        subscription.mutate { $0 = stream }
      }
      #expect(onOtherThread { for number in 0...10_000 { source.onNext(number) } })
      first.onCompleted()
      #expect(lifetimes.waitForNone())
    }
    let isInOrder = seen.value == Array(1...last)
    #expect(isInOrder)
    #expect(!source.hasObservers)
  }

  // contract 1.4: the dispose comes from another thread while the delivering thread is inside a callback.
  @Test(arguments: Case.all)
  func aDisposeAfterTheHandOverEndsTheDelivery(through operation: Case) async {
    let (source, first, lifetimes) = (PublishSubject<Int>(), PublishSubject<Int>(), Lifetimes())
    let (sender, seen, reached, gate) = (Locked<Thread?>(nil), Locked<[Int]>([]), Signal(), Signal())
    await onThread {
      let subscription: any Disposable
      do {
        let object = lifetimes.make()
        subscription = operation.apply(source.asObservable(), first.asObservable()).subscribe(onNext: { number in
          object.touch()
          seen.mutate { $0.append(number) }
          if number != 2_000 { return }
          reached.fire()
          // The sender must not get here. If it does, it does not wait, so that the test fails and does not hang.
          if Thread.current !== sender.value { #expect(gate.wait()) }
        })
      }
      #expect(onOtherThread { for number in 0...10_000 { source.onNext(number) } })
      sender.mutate { $0 = .current }
      first.onCompleted()
      #expect(reached.wait())
      subscription.dispose()
      gate.fire()
      #expect(lifetimes.waitForNone())
    }
    let isInOrder = seen.value == Array(1...2_000)
    #expect(isInOrder)
  }
}
