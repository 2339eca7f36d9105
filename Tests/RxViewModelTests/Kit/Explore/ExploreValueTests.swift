import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 4.6
@Suite("All orders end with equal values", .asyncEffects) struct ExploreValueTests {
  // contract 9.7
  @Test func bothOrdersAreDrawn() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "orders-\(UUID().uuidString).html")
    defer { try? FileManager.default.removeItem(at: file) }
    let text = failureText { try explore(picture: file.path) { run in run.searchTwice() } }
    #expect(text.hasSuffix("\npicture: \(file.path)"), "\(text)")
    let picture = try PictureData(of: file)
    #expect(picture.entries.filter { $0.k == "note" }.map(\.name) == [#""0-0-0""#, #""0-1-0""#])
    #expect(picture.head.models.count == 3)
  }

  // The order of zeros only gives the value to compare with.
  @Test func theReplayedOrderFailsForItself() {
    let text = failureText {
      try explore(replaying: "1") { run in
        let number = run.choose(0...1)
        try run.expect(false, "number \(number)")
        return number
      }
    }
    #expect(text.contains("number 1"), "\(text)")
  }

  /// Returns the names of the answers, in their order.
  private func appended(_ run: Exploration) -> [String] {
    let answers = Locked<[String]>([])
    let bag = DisposeBag()
    for name in ["a", "b"] {
      Observable.task { try await run.arrival(name) }
        .subscribe(onNext: { answers.append(name) }, onError: { _ in }).disposed(by: bag)
    }
    run.allArrive()
    return answers.value
  }

  @Test func valuesThatMayDifferAreAllowed() throws {
    let report = try explore { run in
      appended(run)
    } allowing: { value in
      value.sorted() == ["a", "b"]
    }
    #expect(report.runs == 2)
    // Each of the two values has to be right.
    let text = failureText {
      try explore { run in
        appended(run)
      } allowing: { value in
        value == ["b", "a"]
      }
    }
    #expect(
      text.contains("\nThe outcome depends on the order of the responses\n- \"0-0\"\n+ \"1-0\"\n"),
      "\(text)")
  }

  // The results of `choose` are what the test does, so only orders with the same ones are compared.
  @Test func onlyOrdersOfTheSameChoicesAreCompared() throws {
    #expect(try explore { run in run.choose("a", "b") }.runs == 2)
    let text = failureText {
      try explore { run in
        let isWrong = run.choose(false, true)
        let names = appended(run)
        return isWrong ? names : []
      }
    }
    let headline = "ends differently from the simplest order in 1 of 4 orders, first in \"1-1-0\", "
    #expect(text.hasPrefix(headline), "\(text)")
    #expect(text.contains("\nin \"1-0-0\":\n  chose true\n  a\n  b\n"), "\(text)")
  }

  // Without an assertion, nothing says which order is right. The first one is compared with the others, and not counted itself.
  @Test func theCountIsOfOrdersThatDifferFromTheSimplest() {
    func text(_ body: (Exploration) throws -> [String]) -> String { failureText { try explore(body) } }
    let three = { (run: Exploration) in
      let answers = Locked<[String]>([])
      let bag = DisposeBag()
      for name in ["a", "b", "c"] {
        Observable.task { try await run.arrival(name) }.subscribe(onNext: { answers.append(name) }).disposed(by: bag)
      }
      run.allArrive()
      return answers.value
    }
    #expect(
      text { Array(three($0).prefix(1)) }
        .hasPrefix("ends differently from the simplest order in 4 of 6 orders, first in \"1-0-0\", "))
    // Say what is right, and the simplest one counts, if it is wrong.
    let failures = failureText { try explore { run in try run.expect(three(run).first == "c") } }
    #expect(failures.hasPrefix("fails in 4 of 6 orders, first in \"0-0-0\", "), "\(failures)")
    // Orders that fail in another way are not counted among those that differ.
    let both = text { run in
      let answers = three(run)
      try run.expect(answers != ["c", "b", "a"])
      return Array(answers.prefix(1))
    }
    #expect(both.hasPrefix("ends differently from the simplest order in 3 of 6 orders, first in "), "\(both)")
  }

  // A value of another run is no failure while the run itself has failed.
  @Test func anErrorOfTheBodyCountsFirst() {
    let text = failureText {
      try explore { run in
        let names = appended(run)
        try? run.expect(names == ["a", "b"], "the expectation")
        return names
      }
    }
    #expect(text.contains("\nthe expectation, ") && !text.contains("The outcome depends"), "\(text)")
  }
}
