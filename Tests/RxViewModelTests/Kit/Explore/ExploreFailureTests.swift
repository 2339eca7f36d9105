import RxViewModel
import Testing

@testable import RxViewModelTesting
@testable import TestSupport

// contract 4.6
@Suite("A failure of explore names its order", .asyncEffects) struct ExploreFailureTests {
  private func search(_ run: Exploration) throws {
    try run.expect(run.searchTwice().results == ["ab"], "the newest answer", file: "SearchTests.swift", line: 20)
  }

  // The README's failure is one of these: `CitySearchTests` compares it.
  @Test func theOrderIsReplayedAlone() throws {
    let text = failureText { try explore(file: "SearchTests.swift", line: 12, search) }
    #expect(text.hasPrefix("fails in 1 of 3 orders, first in \"0-1-0\", SearchTests.swift:12:\n  search(\"a\")  "))
    for order in ["0-1-0", "0-1", "0x1-1"] {
      #expect(
        failureText { try explore(replaying: order, file: "SearchTests.swift", line: 12, search) }
          == text.replacing("fails in 1 of 3 orders, first in", with: "fails in"))
    }
    for order in ["", "1", "1-0", "0-0-0", "0x3"] {
      let report = try explore(replaying: order, search)
      #expect(report.runs == 1 && !report.isExhaustive)
    }
  }

  @Test(arguments: [
    ("0-2", "\nThe order does not fit the body: number 2 is 2, and the options are 0 to 1, "),
    ("1-0-0-1", "\nThe order has 4 numbers, but the body makes 2 choices, "),
    ("0-a", "\"0-a\" is not an order, which looks like \"0-1-0x47\", SearchTests.swift:1"),
  ])
  func anOrderThatDoesNotFitFailsWithASentence(order: String, sentence: String) {
    #expect(
      failureText { try explore(replaying: order, file: "SearchTests.swift", line: 1, search) }.contains(sentence))
  }

  @Test func anErrorOfTheBodyIsNamed() {
    #expect(
      failureText {
        try explore(file: "SomeTests.swift", line: 1) { run in
          if run.choose(0...2) == 2 { throw TestError("two\nlines") }
        }
      } == """
        fails in 1 of 3 orders, first in "2", SomeTests.swift:1:
          chose 2
        two
        lines
        """)
  }

  @Test func thePlaceStaysTheSameWhileTheOrderShrinks() {
    // Smaller numbers fail in other places.
    let places = Locked<[UInt]>([])
    let text = failureText {
      try explore(limit: 50) { run in
        let numbers = (0..<6).map { _ in run.choose(0...9) }
        if numbers.reduce(0, +) < 30 { return }
        let place: UInt = numbers.last == 0 ? 1 : numbers[0] == 0 ? 2 : 3
        places.append(place)
        try run.expect(false, "place \(place)", line: place)
      }
    }
    #expect(Set(places.value).count > 1)
    #expect(text.contains(" orders tried, first in ") && text.contains("\nplace \(places.value[0]), "), "\(text)")
  }

  @Test func arrivalsWithoutANameAndTimersAreNamedToo() {
    let text = failureText {
      try explore(file: "SomeTests.swift", line: 1) { run in
        let arrival = Observable.task { try await run.arrival() }.subscribe(onNext: { _ in })
        let timer = Observable.timer(.milliseconds(300), scheduler: run.scheduler).subscribe(onNext: { _ in })
        run.allArrive()
        withExtendedLifetime((arrival, timer)) {}
        throw TestError()
      }
    }
    #expect(
      text == """
        fails in 2 of 2 orders, first in "0-0", SomeTests.swift:1:
          arrival
          timer at 0.3 seconds
        test error
        """)
  }

  @Test func overlappingArrivalsAreNamedAsSuch() {
    let text = failureText {
      try explore(overlapping: true, file: "SomeTests.swift", line: 1) { run in
        let isCancelled = Locked(false)
        let first = Observable.task {
          try await run.arrival("first")
          isCancelled.mutate { $0 = Task.isCancelled }
        }.subscribe()
        let second = Observable.task { try await run.arrival("second") }.subscribe()
        run.mayArrive()
        first.dispose()
        run.allArrive()
        withExtendedLifetime(second) {}
        try run.expect(!isCancelled.value, "it returns though cancelled", line: 2)
      }
    }
    #expect(
      text.contains("first in \"0-1-0-0-0-0\", SomeTests.swift:1:\n  first, though cancelled\n  second\n"), "\(text)")
  }

  @Test(arguments: [50, 60]) func fiftyRowsAreShown(of count: Int) {
    let text = failureText {
      try explore(limit: 1, file: "SomeTests.swift", line: 1) { run in
        let ticks = Observable.interval(.seconds(1), scheduler: run.scheduler).take(count).subscribe()
        run.allArrive()
        withExtendedLifetime(ticks) {}
        throw TestError()
      }
    }
    #expect(
      text.contains("\n  timer at 10.0 seconds\n") && text.contains("\n  timer at \(count).0 seconds\n"), "\(text)")
    #expect(text.contains("\n  … 10 more\n  timer at 21.0 seconds\n") == (count == 60), "\(text)")
  }

  @Test func theFailingRunsAreCountedAmongAThousandMore() {
    let text = failureText { try explore(limit: 200_000) { run in try run.expect(run.choose(0...100_000) == 0) } }
    #expect(text.hasPrefix("fails in 1001 of the 1002 orders tried, first in \"1\", "), "\(text)")
  }
}
