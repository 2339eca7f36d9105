import RxViewModel
import Testing

@testable import RxViewModelTesting
@testable import TestSupport

// contract 4.6
/// An expectation of explore fails the run wherever it stands.
struct ExploreExpectTests {
  @Test func inATry() {
    let text = failureText { try explore { run in try? run.expect(run.choose(1, 2) == 1, "one") } }
    #expect(
      text.hasPrefix("fails in 1 of 2 orders, first in \"1\", ") && text.contains("\none, "), "\(text)")
  }

  @Test(.asyncEffects) func inAServiceAndAMapper() {
    let text = failureText {
      try explore { run in
        let answer = Observable<Int>.task {
          try await run.arrival("answer")
          try run.expect(run.choose(true, false), "in the service")
          return 1
        }.map { number in
          try run.expect(run.choose(true, false), "in the mapper")
          return number
        }.catchAndReturn(0).subscribe()
        run.allArrive()
        withExtendedLifetime(answer) {}
      }
    }
    #expect(text.hasPrefix("fails in 2 of 3 orders, first in \"0-1\", "), "\(text)")
    #expect(text.contains("\nin the service, "))
  }

  @Test func theFirstOneCountsAndEndsTheBody() {
    let text = failureText {
      try explore { run in
        try? run.expect(false, "the first")
        try run.expect(true, "the second")
        throw TestError("behind it")
      }
    }
    #expect(text.contains("\nthe first, ") && !text.contains("behind it"))
  }

  @Test func aFailingOrderIsReplayedAlthoughItsNumbersAreLeft() {
    let text = failureText { try explore(replaying: "0-1") { run in try? run.expect(run.choose(0...1) == 1, "one") } }
    #expect(text.hasPrefix("fails in \"0\", ") && text.contains("\none, "), "\(text)")
  }

  // MARK: Counting

  @Test func misuseIsNoFailureOfAnOrder() {
    // The second run fails. The third one is misuse, which is not counted.
    let text = failureText {
      try explore { run in
        let number = run.choose(0...2)
        if number == 2 { onOtherThread { _ = run.choose(true, false) } }
        try run.expect(number != 1)
      }
    }
    #expect(text.hasPrefix("fails in 1 of 3 orders, first in \"1\", "), "\(text)")
  }

  @Test func randomRunsThatRepeatAnOrderCountOnce() {
    // 2⁴ orders, of which every second run after the limit is reached is a random one.
    let text = failureText {
      try explore(limit: 15) { run in
        let numbers = (0..<4).map { _ in run.choose(0...1) }
        try run.expect(numbers != [1, 0, 0, 0])
      }
    }
    let count = text.split(separator: " ").dropFirst(5).first.flatMap { Int($0) }
    #expect(text.hasPrefix("fails in 1 of the ") && count.map { $0 < 15 } == true, "\(text)")
  }

  #if os(macOS) || os(Linux)
    @Test(.ownThread) func aTraceLeavesTheOrderOfATrap() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try explore(trace: true) { run in
          if run.choose(0...1) == 1, run.choose(0...2) == 2 { fatalError("the body") }
        }
      }
      let text = standardError(of: result)
      #expect(text.contains("\nexplore: 0\nexplore: 1-0\nexplore: 1-1\nexplore: 1-2"), "\(text)")
    }
  #endif
}
