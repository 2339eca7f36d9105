import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 1.6: all tests run on a 512 KB stack, with a million elements in a release build, which CI runs too
@Suite(.stress) struct StackTests {
  #if DEBUG
    private let million = 100_000
  #else
    private let million = 1_000_000
  #endif

  private func sum(_ make: @escaping @Sendable () -> Observable<Int>) async -> Int {
    await onThread(stackSize: smallStack) {
      let sum = Locked(0)
      _ = make().subscribe(onNext: { number in sum.mutate { $0 += number } })
      return sum.value
    }
  }

  @Test func aMillionSynchronousInnersThroughFlatMap() async {
    let million = million
    #expect(await sum { Observable.from(1...million).flatMap { _ in Observable.just(1) } } == million)
    #expect(await sum { Observable.from(1...million).flatMap { _ in Observable.from([1]) } } == million)
  }

  @Test func aMillionSourcesThroughMergeAndConcat() async {
    let sources = [Observable](repeating: Observable.just(1), count: million)
    #expect(await sum { .merge(sources) } == million)
    #expect(await sum { .concat(sources) } == million)
  }

  @Test func aLongChainOfOperators() async {
    #if DEBUG
      let depth = 300
    #else
      let depth = 1_000
    #endif
    let last = await onThread(stackSize: smallStack) {
      let subject = PublishSubject<Int>()
      var stream = subject.asObservable()
      for step in 0..<depth {
        switch step % 5 {
        case 0: stream = stream.map { $0 + 1 }
        case 1: stream = stream.filter { $0 >= 0 }
        case 2: stream = stream.scan(0, +)
        case 3: stream = stream.distinctUntilChanged()
        default: stream = stream.do(onNext: { _ in })
        }
      }
      let observer = stream.test()
      subject.onNext(0)
      subject.onCompleted()
      return observer.isCompleted ? observer.lastValue : nil
    }
    #expect(last == depth / 5)
  }

  @Test func aMillionReentrantSends() async {
    let million = million
    let last = await onThread(stackSize: smallStack) {
      let subject = PublishSubject<Int>()
      let last = Locked(0)
      let subscription = subject.map { $0 + 1 }.subscribe(onNext: { number in
        last.mutate { $0 = number }
        if number < million { subject.onNext(number) }
      })
      subject.onNext(0)
      subscription.dispose()
      return last.value
    }
    #expect(last == million)
  }
}
