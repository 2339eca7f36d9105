import RxViewModel
import RxViewModelTesting
import Testing

@Suite struct MarblesTests {
  @Test func drawsEvents() {
    #expect(
      [Recorded<String>].marbles("-a-b-|")
        == [
          Recorded(.milliseconds(10), .next("a")), Recorded(.milliseconds(30), .next("b")),
          Recorded(.milliseconds(50), .completed),
        ])
    #expect(
      [Recorded<Int>].marbles("  a  b#", ["a": 1, "b": 2], error: TestError()) == events([0: 1, 10: 2], error: 20))
    #expect(
      [Recorded<Int>].marbles("-(ab)-c|", ["a": 1, "b": 2, "c": 3], frame: .milliseconds(1))
        == events([1: 1, 1: 2, 6: 3], completed: 7))
    #expect([Recorded<String>].marbles("--(x|)") == events([20: "x"], completed: 20))
    #expect([Recorded<String>].marbles("---").isEmpty)
  }

  @Test func coldHotAndExpected() {
    let scheduler = TestScheduler()
    let cold = scheduler.coldObservable(.marbles("-a-b-|"))
    let hot = scheduler.hotObservable(.marbles("x--y---z"))
    let merged = cold.merge(with: hot.take(3)).test(scheduler)
    scheduler.run()
    #expect(merged.mismatch(with: .marbles("xa-(yb)(z|)", ["x": "x", "a": "a", "y": "y", "b": "b", "z": "z"])) == nil)
  }

  @Test func timesPassBetweenSpaces() {
    #expect([Recorded<String>].marbles("a 25ms b|") == events([0: "a", 35: "b"], completed: 45))
    #expect([Recorded<String>].marbles("10ms a 1.5s (b|) 2m") == events([10: "a", 1_520: "b"], completed: 1_520))
    #expect([Recorded<String>].marbles("2m a", frame: .milliseconds(1)) == events([120_000: "a"]))
    // Elements, since no spaces stand around them.
    #expect([Recorded<String>].marbles("-1ms") == events([10: "1", 20: "m", 30: "s"]))
    #expect([Recorded<Int>].marbles("1-2", ["1": 1, "2": 2]) == events([0: 1, 20: 2]))
    #expect([Recorded<String>].marbles("1 2") == events([0: "1", 10: "2"]))
  }

  @Test func theSubscriptionIsTimeZero() {
    let drawn = [Recorded<String>].marbles("a-^-b-(c|)")
    #expect(drawn == events([-20: "a", 20: "b", 40: "c"], completed: 40))
    let scheduler = TestScheduler()
    let hot = scheduler.hotObservable(drawn)
    let recorded = hot.test(scheduler)
    scheduler.run()
    #expect(recorded.mismatch(with: .marbles("--b-(c|)")) == nil)
  }

  @Test func aHotObservableThatEndedBeforeTheSubscriptionHasEnded() {
    let scheduler = TestScheduler()
    #expect(scheduler.hotObservable(.marbles("a|-^")).test(scheduler).events == events([:], completed: 0))
    #expect(scheduler.pendingCount == 0)
  }

  @Test func aDiagramSaysWhenToSubscribeAndWhenToDispose() {
    let scheduler = TestScheduler()
    let cold = scheduler.coldObservable(.marbles("-a-b-c|"))
    let both = cold.test(scheduler, subscription: "--^---!")
    let atOnce = cold.test(scheduler, subscription: "^ 40ms !")
    let never = cold.test(scheduler, subscription: "---")
    #expect(scheduler.pendingCount == 11)
    scheduler.run()
    #expect(both.mismatch(with: .marbles("---a-b")) == nil)
    #expect(atOnce.mismatch(with: .marbles("-a-b-c")) == nil)
    #expect(never.mismatch(with: .marbles("-a-b-c|")) == nil)
  }

  #if os(macOS) || os(Linux)
    @Test func badDiagramsAreTrapped() async {
      await #expect(processExitsWith: .failure) { _ = [Recorded<String>].marbles("(a") }
      await #expect(processExitsWith: .failure) { _ = [Recorded<String>].marbles("a)") }
      await #expect(processExitsWith: .failure) { _ = [Recorded<String>].marbles("(a(b))") }
      await #expect(processExitsWith: .failure) { _ = [Recorded<String>].marbles("(a-b)") }
      await #expect(processExitsWith: .failure) { _ = [Recorded<String>].marbles("a|b") }
      await #expect(processExitsWith: .failure) { _ = [Recorded<Int>].marbles("ab", ["a": 1]) }
      await #expect(processExitsWith: .failure) { _ = [Recorded<String>].marbles("a^b^") }
      await #expect(processExitsWith: .failure) { _ = [Recorded<String>].marbles("( 5ms a)") }
      await #expect(processExitsWith: .failure) {
        _ = Observable.just(1).test(TestScheduler(), subscription: "^a!")
      }
    }

    @Test func aTrapQuotesTheDiagram() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = [Recorded<String>].marbles("a--!")
      }
      let complaint = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(complaint.contains("marbles: a ! that belongs to the diagram of a subscription in a--!"))
    }
  #endif
}
