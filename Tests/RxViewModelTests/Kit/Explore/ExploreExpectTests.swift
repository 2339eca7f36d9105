import RxViewModel
import Testing

@testable import RxViewModelTesting
@testable import TestSupport

// contract 4.6
@Suite("An expectation of explore fails the run wherever it stands") struct ExploreExpectTests {
  private func text(of body: () throws -> Void) -> String {
    #expect(throws: TestFailure.self, performing: body)?.description ?? ""
  }

  @Test func inATry() {
    let failure = text { try explore { run in try? run.expect(run.choose(1, 2) == 1, "one") } }
    #expect(
      failure.hasPrefix("fails in 1 of 2 orders, first in \"1\": chose 2, ") && failure.contains("\n  one, "),
      "\(failure)")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func inAService() {
    let failure = text {
      try explore { run in
        let answer = Observable<Int>.task {
          try await run.arrival("answer")
          try run.expect(false, "in the service")
          return 1
        }.subscribe(onNext: { _ in }, onError: { _ in })
        run.allArrive()
        withExtendedLifetime(answer) {}
      }
    }
    #expect(failure.hasPrefix("fails in 1 of 1 orders, first in \"0\": answer, "), "\(failure)")
    #expect(failure.contains("\n  in the service, "))
  }

  @Test func inAMapper() {
    let failure = text {
      try explore { run in
        let sum = Observable.from([1, 2]).map { number in
          try run.expect(number < 2, "in the mapper")
          return number
        }.catchAndReturn(0).subscribe()
        withExtendedLifetime(sum) {}
      }
    }
    #expect(failure.contains("\n  in the mapper, "))
  }

  @Test func theFirstOneCountsAndEndsTheBody() {
    let failure = text {
      try explore { run in
        try? run.expect(false, "the first")
        try run.expect(true, "the second")
        throw TestError("behind it")
      }
    }
    #expect(failure.contains("\n  the first, ") && !failure.contains("behind it"))
  }

  @Test func aFailingOrderIsReplayedAlthoughItsNumbersAreLeft() {
    let failure = text { try explore(replaying: "0-1") { run in try? run.expect(run.choose(0...1) == 1, "one") } }
    #expect(failure.hasPrefix("fails in \"0\": chose 0, ") && failure.contains("\n  one, "), "\(failure)")
  }

  @Test func misuseIsNoFailureOfAnOrder() {
    // The second run fails. The third one is misuse, which is not counted.
    let failure = text {
      try explore { run in
        let number = run.choose(0...2)
        if number == 2 { onOtherThread { _ = run.choose(true, false) } }
        try run.expect(number != 1)
      }
    }
    #expect(failure.hasPrefix("fails in 1 of 3 orders, first in \"1\": chose 1, "), "\(failure)")
  }

  @Test func randomRunsThatRepeatAnOrderCountOnce() {
    // 2⁴ orders, of which every second run after the limit is reached is a random one.
    let failure = text {
      try explore(limit: 15) { run in
        let numbers = (0..<4).map { _ in run.choose(0...1) }
        try run.expect(numbers != [1, 0, 0, 0])
      }
    }
    let count = failure.split(separator: " ").dropFirst(5).first.flatMap { Int($0) }
    #expect(failure.hasPrefix("fails in 1 of the ") && count.map { $0 < 15 } == true, "\(failure)")
  }

  @Test func aLongRowOfZerosIsExplained() {
    let failure = text {
      try explore { run in
        for _ in 0..<6 { _ = run.choose(0...1) }
        throw TestError()
      }
    }
    #expect(failure.contains(" first in \"0x6\" (0x6 stands for 6 zeros): chose 0, "), "\(failure)")
  }

  #if os(macOS) || os(Linux)
    @Test func aTraceLeavesTheOrderOfATrap() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try explore(trace: true) { run in
          if run.choose(0...1) == 1, run.choose(0...2) == 2 { fatalError("the body") }
        }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("\nexplore: 0\nexplore: 1-0\nexplore: 1-1\nexplore: 1-2"), "\(text)")
    }
  #endif
}
