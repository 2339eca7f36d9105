import RxViewModel
import Testing

@testable import RxViewModelTesting
@testable import TestSupport

// contract 4.6
@Suite("A failure of explore names its order") struct ExploreFailureTests {
  /// A search in which a stale answer may overwrite the newest one.
  private func search(_ run: Exploration) throws {
    let model = SearchViewModel(scheduler: run.scheduler) { text in
      try await run.arrival("answer to \(text)")
      return [text]
    }
    model.execute(.search("a"), mode: .parallel)
    run.mayArrive()
    model.execute(.search("ab"), mode: .parallel)
    run.allArrive()
    try run.expect(model.currentState.results == ["ab"], "the newest answer", file: "SearchTests.swift", line: 20)
  }

  private func text(of body: () throws -> Void) -> String? {
    #expect(throws: TestFailure.self, performing: body)?.description
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theTextNamesTheOrderTheArrivalsAndTheError() throws {
    #expect(
      text { try explore(file: "SearchTests.swift", line: 12, search) } == """
        fails in 1 of 3 orders, first in "0-1-0": answer to ab, answer to a, SearchTests.swift:12:
          the newest answer, SearchTests.swift:20
        """)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theOrderIsReplayedAlone() throws {
    for order in ["0-1-0", "0-1", "0x1-1"] {
      #expect(
        text { try explore(replaying: order, file: "SearchTests.swift", line: 12, search) } == """
          fails in "0-1-0": answer to ab, answer to a, SearchTests.swift:12:
            the newest answer, SearchTests.swift:20
          """)
    }
    for order in ["", "1", "1-0", "0-0-0", "0x3"] {
      let report = try explore(replaying: order, search)
      #expect(report.runs == 1 && !report.isExhaustive)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test(.stress) func anOrderReplaysEachTime() {
    let texts = (0..<1_000).map { _ in text { try explore(replaying: "0-1-0", line: 1, search) } }
    #expect(Set(texts).count == 1 && texts[0] != nil)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func anOrderThatDoesNotFitFailsWithASentence() {
    for (order, sentence) in [
      ("0-2", "The order does not fit the body: number 2 is 2, and the options are 0 to 1"),
      ("1-0-0-1", "The order has 4 numbers, but the body makes 2 choices"),
    ] {
      #expect(text { try explore(replaying: order, line: 1, search) }?.contains("\n  \(sentence), ") == true)
    }
    #expect(
      text { try explore(replaying: "0-a", file: "SearchTests.swift", line: 1, search) }
        == "\"0-a\" is not an order, which looks like \"0-1-0x47\", SearchTests.swift:1")
  }

  @Test func anErrorOfTheBodyIsNamed() {
    struct Wrong: Error, CustomStringConvertible { let description = "two\nlines" }
    #expect(
      text {
        try explore(file: "SomeTests.swift", line: 1) { run in if run.choose(0...2) == 2 { throw Wrong() } }
      } == """
        fails in 1 of 3 orders, first in "2": chose 2, SomeTests.swift:1:
          two
          lines
        """)
  }

  @Test func theErrorAndThePlaceStayTheSameWhileTheOrderShrinks() {
    // The smaller numbers fail in another place, or with another error.
    let failure = text {
      try explore(limit: 50) { run in
        let numbers = (0..<6).map { _ in run.choose(0...9) }
        if numbers.reduce(0, +) < 30 { return }
        if numbers.last == 0 { throw TestError("another error") }
        try run.expect(numbers[0] > 0, "another place")
        try run.expect(false, "the place")
      }
    }
    let isSame = ["another error", "another place", "the place"].contains { failure?.contains("\n  \($0)") == true }
    #expect(isSame && failure?.contains(" orders tried, first in ") == true)
  }

  @Test func arrivalsWithoutANameAndTimersAreNamedToo() {
    let failure = text {
      try explore(file: "SomeTests.swift", line: 1) { run in
        let arrival = Observable.task { try await run.arrival() }.subscribe(onNext: { _ in })
        let timer = Observable.timer(.milliseconds(300), scheduler: run.scheduler).subscribe(onNext: { _ in })
        run.allArrive()
        withExtendedLifetime((arrival, timer)) {}
        throw TestError()
      }
    }
    #expect(
      failure == """
        fails in 2 of 2 orders, first in "0-0": arrival, timer at 0.3 seconds, SomeTests.swift:1:
          test error
        """)
  }

  @Test func overlappingArrivalsAreNamedAsSuch() {
    let failure = text {
      try explore(overlapping: true, file: "SomeTests.swift", line: 1) { run in
        let isCancelled = Locked(false)
        let bag = DisposeBag()
        Observable.task {
          try await run.arrival("first")
          isCancelled.mutate { $0 = Task.isCancelled }
        }.subscribe().disposed(by: bag)
        let second = Observable.task { try await run.arrival("second") }.subscribe()
        run.mayArrive()
        bag.dispose()
        run.allArrive()
        withExtendedLifetime(second) {}
        try run.expect(!isCancelled.value, "it returns though cancelled", line: 2)
      }
    }
    #expect(
      failure?.contains("first in \"0-1-0-0-0-0\": first, though cancelled, second, SomeTests.swift:1:") == true,
      "\(failure ?? "")")
  }

  @Test func manyArrivalsAreNotAllNamed() {
    let failure = text {
      try explore(limit: 1, file: "SomeTests.swift", line: 1) { run in
        let ticks = Observable.interval(.seconds(1), scheduler: run.scheduler).take(60).subscribe()
        run.allArrive()
        withExtendedLifetime(ticks) {}
        throw TestError()
      }
    }
    #expect(failure?.contains("timer at 50.0 seconds, and 10 more, SomeTests.swift:1:") == true)
  }

  @Test func theFailingRunsAreCountedAmongAThousandMore() {
    let failure = text { try explore(limit: 200_000) { run in try run.expect(run.choose(0...100_000) == 0) } }
    #expect(
      failure?.hasPrefix("fails in 1001 of the 1002 orders tried, first in \"1\": chose 1, ") == true,
      "\(failure ?? "")")
  }
}
