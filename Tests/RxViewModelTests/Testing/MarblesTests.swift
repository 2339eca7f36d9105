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

  #if os(macOS) || os(Linux)
    @Test func badDiagramsAreTrapped() async {
      await #expect(processExitsWith: .failure) { _ = [Recorded<String>].marbles("(a") }
      await #expect(processExitsWith: .failure) { _ = [Recorded<String>].marbles("a)") }
      await #expect(processExitsWith: .failure) { _ = [Recorded<String>].marbles("(a(b))") }
      await #expect(processExitsWith: .failure) { _ = [Recorded<String>].marbles("(a-b)") }
      await #expect(processExitsWith: .failure) { _ = [Recorded<String>].marbles("a|b") }
      await #expect(processExitsWith: .failure) { _ = [Recorded<Int>].marbles("ab", ["a": 1]) }
    }
  #endif
}
