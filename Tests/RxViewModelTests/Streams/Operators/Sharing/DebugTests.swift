import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

@Suite struct DebugTests {
  private struct Local: Sendable { var tags: Set<Int> }

  private func lines<Element>(of source: Observable<Element>) -> [String] {
    let lines = Locked<[String]>([])
    let subscription = source.debug("taps") { lines.append($0) }.subscribe { _ in }
    subscription.dispose()
    subscription.dispose()
    return lines.value
  }

  @Test func aLineForEachStep() {
    #expect(
      lines(of: .of("a", "b")) == [
        "taps: subscribed", #"taps: next("a")"#, #"taps: next("b")"#, "taps: completed", "taps: disposed",
      ])
    #expect(
      lines(of: Observable<Int>.error(TestError("oops"))) == [
        "taps: subscribed", "taps: error(oops)", "taps: disposed",
      ])
    #expect(lines(of: Observable<Int>.never()) == ["taps: subscribed", "taps: disposed"])
  }

  @Test func valuesAreDescribedTheSameInEachRun() {
    #expect(lines(of: .just(Local(tags: [3, 1, 2])))[1] == "taps: next(Local(tags: [1, 2, 3]))")
  }
}
