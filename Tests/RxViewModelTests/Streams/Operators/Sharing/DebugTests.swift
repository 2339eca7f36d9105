import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

@Suite struct DebugTests {
  private let lines = Locked<[String]>([])

  private func debugged<Element>(_ source: Observable<Element>) -> Observable<Element> {
    source.debug("taps") { [lines] line in lines.mutate { $0.append(line) } }
  }

  @Test func aLineForEachStep() {
    let values = debugged(Observable.of("a", "b")).test().values
    #expect(values == ["a", "b"])
    #expect(
      lines.value == [
        "taps: subscribed", #"taps: next("a")"#, #"taps: next("b")"#, "taps: completed", "taps: disposed",
      ])
  }

  @Test func anError() {
    _ = debugged(Observable<Int>.error(TestError("oops"))).test()
    #expect(lines.value == ["taps: subscribed", "taps: error(oops)", "taps: disposed"])
  }

  @Test func aDisposal() {
    let subscription = debugged(Observable<Int>.never()).subscribe { _ in }
    subscription.dispose()
    subscription.dispose()
    #expect(lines.value == ["taps: subscribed", "taps: disposed"])
  }

  @Test func valuesAreDescribedTheSameInEachRun() {
    struct Local: Sendable { var tags: Set<Int> }
    _ = debugged(Observable.just(Local(tags: [3, 1, 2]))).test()
    #expect(lines.value[1] == "taps: next(Local(tags: [1, 2, 3]))")
  }
}
