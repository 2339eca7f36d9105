import RxViewModel
import Testing

@testable import RxViewModelTesting
@testable import TestSupport

// contract 4.6
@Suite("What a report and a seed say", .asyncEffects) struct ExploreReportTests {
  @Test func theReportSaysWhatWasCovered() throws {
    let all = try explore { run in _ = (0..<3).map { _ in run.choose(0...1) } }
    #expect(all.description == "all orders, 8 of them")
    // One run without a departure, three with one, and each second run from then on is random.
    let some = try explore(limit: 5) { run in _ = (0..<3).map { _ in run.choose(0...1) } }
    #expect(some.description == "all orders with at most 1 deviation, 4 of them, and 1 others")
    let many = try explore(limit: 1_000) { run in _ = (0..<12).map { _ in run.choose(0...1) } }
    #expect(many.description == "all orders with at most 3 deviations, 299 of them, and 701 others")
  }

  @Test func theReportNamesTheFailuresThatWereTried() throws {
    struct Lost: Error {}
    func report(_ failures: Int) throws -> String {
      let report = try explore(failures: failures) { run in
        let requests = (0..<2).map { number in
          Observable.task { try await run.request("\(number)", failing: Lost()) { number } }.subscribe(onError: { _ in }
          )
        }
        run.allArrive()
        withExtendedLifetime(requests) {}
      }
      return report.description
    }
    #expect(try report(1) == "all orders with at most 1 failure, 36 of them")
    #expect(try report(0) == "all orders with at most 0 failures, 6 of them")
  }

  @Test func aFreshSeedIsNamedByAFailureAndRepeatsIt() throws {
    func text(_ seed: ExplorationSeed) -> String {
      failureText {
        try explore(limit: 200, seed: seed, line: 1) { run in
          let numbers = (0..<12).map { _ in run.choose(0...9) }
          try run.expect(numbers.reduce(0, +) < 50)
        }
      }
    }
    let (first, second) = (text(.fresh), text(.fresh))
    let seed = try #require(first.firstMatch(of: /\nseed: (\d+)$/)?.1)
    #expect(seed != second.firstMatch(of: /\nseed: (\d+)$/)?.1)
    let again = text(ExplorationSeed(try #require(UInt64(seed))))
    #expect(first == "\(again)\nseed: \(seed)")
    #expect(!again.contains("seed:") && text(0) == text(0))
    let misuse = failureText {
      try explore(limit: 200, seed: .fresh) { run in
        if (0..<12).map({ _ in run.choose(0...9) }).reduce(0, +) >= 50 { run.reportMisuse("too many") }
      }
    }
    #expect(misuse.contains("too many") && misuse.contains(/\nseed: \d+$/), "\(misuse)")
  }

  // Its task retains the view model, which therefore isn't released with the body.
  @Test(.asyncEffects) func aViewModelThatWaitsForItselfIsAFailingOrder() {
    let text = failureText {
      try explore { run in
        let model = ClosureViewModel<String, Int>(0, scheduler: run.scheduler) { model, action in
          if action == "other" { return .mutate { $0 += 1 } }
          return Observable.task { try await model.perform("other", mode: .sequence) }.mutate { $0 = $1 }
        }
        model.execute("x", mode: .sequence)
        run.allArrive()
      }
    }
    #expect(text.contains("\"other\" has not ended, and nothing is pending that could end it"), "\(text)")
    #expect(!text.contains("misuses explore"))
  }

  // The session never renews its token, so the search waits for ever.
  @Test func aPerformThatNothingCanEndFailsAndNamesItsAction() throws {
    let tokens = Observable<String>.never()
    func search(_ run: Exploration, _ isEnded: Bool) {
      let session = ClosureViewModel<String, Int>(0, scheduler: run.scheduler) { _, _ in
        tokens.mutate { state, _ in state += 1 }
      }
      let search = ClosureViewModel<String, Int>(0, scheduler: run.scheduler) { _, _ in
        Observable.task { try await session.perform("renew") }.mutate { $0 = $1 }
      }
      search.execute("find")
      run.allArrive()
      if isEnded {
        session.cancelActions { _ in true }
        run.allArrive()
      }
      withExtendedLifetime(search) {}
    }
    let text = failureText { try explore { run in search(run, false) } }
    #expect(
      text.contains("\n\"renew\" has not ended, and nothing is pending that could end it, but perform waits for it"),
      "\(text)")
    // An action that the body ends, or that may still end.
    try explore { run in search(run, true) }
    try explore { run in
      let model = ClosureViewModel<String, Int>(0, scheduler: run.scheduler) { model, action in
        Observable.task {
          if action == "outer" { _ = try await model.perform("inner") } else { try await run.arrival() }
        }.mutate { state, _ in state += 1 }
      }
      model.execute("outer")
      run.mayArrive()
    }
  }

  // The profile arrives, while the renewal never ends.
  @Test func aPerformThatNothingCanEndIsFoundBesideOtherWaits() {
    let tokens = Observable<String>.never()
    let text = failureText {
      try explore { run in
        let session = ClosureViewModel<String, Int>(0, scheduler: run.scheduler) { _, _ in
          tokens.mutate { state, _ in state += 1 }
        }
        let search = ClosureViewModel<String, Int>(0, scheduler: run.scheduler) { _, _ in
          Observable.task {
            async let token = session.perform("renew")
            async let profile = run.request("profile") { 1 }
            return try await profile + token
          }.mutate { $0 = $1 }
        }
        search.execute("find")
        run.allArrive()
        withExtendedLifetime(search) {}
      }
    }
    #expect(text.contains("\n\"renew\" has not ended, and nothing is pending that could end it"), "\(text)")
  }

  #if os(macOS) || os(Linux)
    @Test(.ownThread) func anUnobservedErrorSaysNothing() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        try explore { _ in _ = Observable<Int>.error(TestError("unobserved")).subscribe() }
      }
      #expect(!standardError(of: result).contains("unobserved"))
    }
  #endif
}
