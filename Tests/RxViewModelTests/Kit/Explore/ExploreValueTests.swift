import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 4.6
@Suite("All orders end with equal values") struct ExploreValueTests {
  /// A search in which a stale answer overwrites the newest one, unless the mode prevents it.
  private func search(_ run: Exploration, _ mode: ExecutionMode) -> SearchState {
    let model = SearchViewModel(scheduler: run.scheduler) { text in
      try await run.arrival("answer to \(text)")
      return [text]
    }
    model.execute(.search("a"), mode: mode)
    run.mayArrive()
    model.execute(.search("ab"), mode: mode)
    run.allArrive()
    return model.currentState
  }

  private func text(of body: () throws -> Void) -> String {
    #expect(throws: TestFailure.self, performing: body)?.description ?? ""
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aRaceIsFoundWithoutACondition() {
    let failure = text {
      try explore(file: "SearchTests.swift", line: 12) { run in search(run, .parallel) }
    }
    #expect(
      failure == """
        fails in 1 of 3 orders, first in "0-1-0": answer to ab, answer to a, SearchTests.swift:12:
          The outcome depends on the order of the responses: results
          - "0-0-0": answer to a, answer to ab
          + "0-1-0": answer to ab, answer to a
            ▿ SearchState
              ▿ results: 1 element
          -     - "ab"
          +     - "a"
          If both are correct, say what all correct values have in common: explore { … } allowing: { value in … }
        """)
  }

  // contract 9.7
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func bothOrdersAreDrawn() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "orders-\(UUID().uuidString).html")
    defer { try? FileManager.default.removeItem(at: file) }
    let failure = text { try explore(picture: file.path) { run in search(run, .parallel) } }
    #expect(failure.hasSuffix("\n  picture: \(file.path)"), "\(failure)")
    let page = try String(contentsOf: file, encoding: .utf8)
    let places = ["0-0-0", "0-1-0"].map { page.range(of: "\\\"\($0)\\\": answer to ")?.lowerBound }
    let (first, second) = (try #require(places[0]), try #require(places[1]))
    #expect(first < second)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func equalValuesPass() throws {
    let report = try explore { run in search(run, .switchLatest) }
    #expect(report.runs == 2 && report.isExhaustive)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theFailingOrderIsReplayed() throws {
    let failure = text { try explore(replaying: "0-1-0") { run in search(run, .parallel) } }
    #expect(failure.hasPrefix("fails in \"0-1-0\": answer to ab, answer to a, "), "\(failure)")
    #expect(failure.contains("The outcome depends on the order of the responses: results"))
    #expect(try explore(replaying: "0-0-0") { run in search(run, .parallel) }.runs == 1)
  }

  // The order of zeros only gives the value to compare with.
  @Test func theReplayedOrderFailsForItself() throws {
    let failure = text {
      try explore(replaying: "1") { run in
        let number = run.choose(0...1)
        try run.expect(false, "number \(number)")
        return number
      }
    }
    #expect(failure.contains("number 1"), "\(failure)")
  }

  /// Returns the names of the answers, in their order.
  private func appended(_ run: Exploration) -> [String] {
    let answers = Locked<[String]>([])
    let bag = DisposeBag()
    for name in ["a", "b"] {
      Observable.task { try await run.arrival(name) }
        .subscribe(onNext: { answers.mutate { $0.append(name) } }, onError: { _ in }).disposed(by: bag)
    }
    run.allArrive()
    return answers.value
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func valuesThatMayDifferAreAllowed() throws {
    #expect(text { try explore { run in appended(run) } }.contains("explore { … } allowing: { value in … }"))
    let report = try explore { run in
      appended(run)
    } allowing: { value in
      value.sorted() == ["a", "b"]
    }
    #expect(report.runs == 2)
    // Each of the two values has to be right.
    let failure = text {
      try explore { run in
        appended(run)
      } allowing: { value in
        value == ["b", "a"]
      }
    }
    #expect(
      failure.contains("\n  The outcome depends on the order of the responses\n  - \"0-0\": a, b\n  + \"1-0\": b, a\n"),
      "\(failure)")
  }

  // The results of `choose` are what the test does, so only orders with the same ones are compared.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func onlyOrdersOfTheSameChoicesAreCompared() throws {
    let report = try explore { run in
      let text = run.choose("a", "b")
      return text
    }
    #expect(report.runs == 2)
    let failure = text {
      try explore { run in
        let isWrong = run.choose(false, true)
        let names = appended(run)
        return isWrong ? names : []
      }
    }
    #expect(failure.hasPrefix("fails in 1 of 4 orders, first in \"1-1-0\": chose true, b, a, "), "\(failure)")
    #expect(failure.contains("\n  - \"1-0-0\": chose true, a, b\n"), "\(failure)")
  }

  // A value of another run is no failure while the run itself has failed.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func anErrorOfTheBodyCountsFirst() {
    let failure = text {
      try explore { run in
        let names = appended(run)
        try? run.expect(names == ["a", "b"], "the expectation")
        return names
      }
    }
    #expect(failure.contains("\n  the expectation, ") && !failure.contains("decides"), "\(failure)")
  }

  // MARK: Issues of a test framework

  private let catchingIssues: IssueBridge = { body, report in
    withKnownIssue(
      isIntermittent: true, body,
      matching: { issue in
        report("\(issue)")
        return true
      })
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func anIssueFailsItsRunIfTheTestPassesABridge() {
    let failure = text {
      try explore(issues: catchingIssues) { run in
        let names = appended(run)
        #expect(names == ["a", "b"])
      }
    }
    #expect(failure.hasPrefix("fails in 1 of 2 orders, first in \"1-0\": b, a, "), "\(failure)")
    #expect(failure.contains("Expectation failed: "), "\(failure)")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theBridgeIsSilentWithoutAnIssue() throws {
    let report = try explore(issues: catchingIssues) { run in
      let names = appended(run)
      #expect(names.count == 2)
    }
    #expect(report.runs == 2)
  }
}
