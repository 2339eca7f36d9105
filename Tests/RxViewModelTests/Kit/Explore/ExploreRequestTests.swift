import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

private enum Lost: Error { case answer }

/// What a server has stored, in the order in which it did so.
private final class Server: Sendable {
  let log = Locked<[String]>([])
  var stored: String? { log.value.last }

  @discardableResult
  func store(_ text: String) -> String {
    log.append(text)
    return text
  }
}

/// A server with a subscription of its own, which ends with it.
private final class PushServer: Sendable {
  private let bag = DisposeBag()

  init(_ pushes: Observable<Void>) { pushes.subscribe(onError: { _ in }).disposed(by: bag) }

  func store(_ text: String) -> String { text }
}

// contract 4.6
@Suite("A request has two moments", .asyncEffects) struct ExploreRequestTests {
  /// Saves a draft, with this mode. The state is what the server has confirmed.
  private func drafts(
    _ run: Exploration, _ server: Server, _ mode: ExecutionMode, failing error: (any Error)? = nil,
    changes: Bool = true, inOrder: Bool = false
  ) -> ClosureViewModel<String, String> {
    ClosureViewModel("", scheduler: run.scheduler) { _, text in
      Observable.task {
        try await run.request("save", failing: error, changes: changes, inOrder: inOrder) { server.store(text) }
      }.mutate { $0 = $1 }
    } overrides: {
      $0.mode = { _, _ in mode }
      $0.handles = { _, _, _ in true }
    }
  }

  // Two moments each: 2n moments in (2n)! / 2ⁿ orders.
  @Test(arguments: [
    (1, 1, false), (2, 6, false), (3, 90, false), (4, 2_520, false), (1, 4, true), (2, 36, true), (3, 720, true),
  ])
  func theMomentsOfRequestsComeInAnyOrder(_ count: Int, _ orders: Int, _ mayFail: Bool) throws {
    let report = try explore { run in
      let model = drafts(run, Server(), .parallel, failing: mayFail ? Lost.answer : nil)
      for number in 0..<count { model.execute("\(number)") }
      run.allArrive()
      try run.expect(mayFail || !model.currentState.isEmpty)
    }
    #expect(report.runs == orders)
    #expect(report.isExhaustive)
  }

  // The older write was cancelled on its way, and reaches the server behind the newer one.
  @Test func anAutosaveThatCancelsTheOlderOneIsFound() throws {
    let text = failureText {
      try explore { run in
        let server = Server()
        let model = drafts(run, server, .switchLatest)
        model.execute("a")
        run.mayArrive()
        model.execute("ab")
        run.allArrive()
        try run.expect(server.stored, equals: "ab")
      }
    }
    #expect(text.contains(" save, though cancelled\n"), "\(text)")
    #expect(text.contains("The values differ, - expected, + actual") && text.contains("\n+ - \"a\""), "\(text)")
    // In sequence the writes don't meet.
    try explore { run in
      let server = Server()
      let model = drafts(run, server, .sequence)
      model.execute("a")
      run.mayArrive()
      model.execute("ab")
      run.allArrive()
      try run.expect(server.log.value, equals: ["a", "ab"])
    }
  }

  @Test func aReadThatIsCancelledIsNeverHandled() throws {
    try explore { run in
      let server = Server()
      let model = drafts(run, server, .switchLatest, changes: false)
      model.execute("a")
      model.execute("ab")
      run.allArrive()
      try run.expect(server.log.value, equals: ["ab"])
    }
  }

  @Test func requestsOfOneConnectionKeepTheirOrder() throws {
    let seen = Locked<Set<[String]>>([])
    let report = try explore { run in
      let server = Server()
      let model = drafts(run, server, .parallel, inOrder: true)
      for text in ["a", "b", "c"] { model.execute(text) }
      run.allArrive()
      seen.mutate { $0.insert(server.log.value) }
    }
    #expect(seen.value == [["a", "b", "c"]] && report.isExhaustive)
  }

  // A request whose call has failed is still on its way, and no later one of its connection overtakes it.
  @Test func aLateRequestKeepsItsPlaceOnItsConnection() throws {
    let seen = Locked<Set<[String]>>([])
    let report = try explore { run in
      let server = Server()
      let model = drafts(run, server, .parallel, failing: Lost.answer, inOrder: true)
      for text in ["a", "b"] { model.execute(text) }
      run.allArrive()
      seen.mutate { $0.insert(server.log.value) }
    }
    #expect(seen.value == [["a", "b"], ["a"], ["b"]] && report.isExhaustive)
  }

  // The work that its failure makes due waits for the next arrival.
  @Test func aLateRequestKeepsItsPlaceWhileAnswersOverlap() throws {
    let seen = Locked<Set<[String]>>([])
    try explore(overlapping: true) { run in
      let server = Server()
      let model = drafts(run, server, .parallel, failing: Lost.answer, inOrder: true)
      for text in ["a", "b"] { model.execute(text) }
      run.mayArrive()
      run.allArrive()
      seen.mutate { $0.insert(server.log.value) }
    }
    #expect(seen.value == [["a", "b"], ["a"], ["b"]])
  }

  // contract 1.3: the request is the last that retains its server, whose subscription waits for an arrival, or for its cancellation. It is
  // on its way without a call or, if it wasn't cancelled, with it.
  @Test(arguments: [(true, true), (false, true), (false, false)])
  func aServerMayBeReleasedWithTheRun(_ arrives: Bool, _ isCancelled: Bool) async {
    let (failures, continuations) = (Locked<[String]>([]), Locked<[AsyncStream<Void>.Continuation]>([]))
    let hasReturned = await finish {
      do {
        try explore { run in
          let never = AsyncStream<Void>.makeStream()
          continuations.append(never.continuation)
          let pushes = arrives ? Observable.task { try await run.arrival("push") } : .values(of: never.stream)
          let server = PushServer(pushes)
          let model = ClosureViewModel<String, String>("", scheduler: run.scheduler) { _, text in
            Observable.task { try await run.request("save") { server.store(text) } }.mutate { $0 = $1 }
          }
          model.execute("a")
          run.scheduler.advance()
          if isCancelled { model.cancelActions { _ in true } }
          run.scheduler.advance()
        }
      } catch { failures.append("\(error)") }
    }
    #expect(hasReturned && failures.value == [])
  }

  // The older write is lost in one order only, which has nothing to be compared with.
  @Test func aRunInWhichARequestIsLostMayBeTheOnlyOne() throws {
    let report = try explore { run in
      let model = drafts(run, Server(), .switchLatest)
      model.execute("a")
      run.mayArrive()
      model.execute("ab")
      run.allArrive()
      return model.currentState
    }
    #expect(report.isExhaustive && report.runs > 1)
  }

  // Answered, lost on the way, handled with a lost answer, failed before it is handled.
  @Test func aRequestFailsInThreeWays() throws {
    let ends = Locked<Set<[String]>>([])
    let report = try explore { run in
      let server = Server()
      let model = drafts(run, server, .parallel, failing: Lost.answer)
      model.execute("a")
      run.allArrive()
      ends.mutate { $0.insert([model.currentState] + server.log.value) }
    }
    #expect(report.runs == 4)
    #expect(ends.value == [["a", "a"], [""], ["", "a"]])
  }

  @Test func noRequestFailsAfterARecovery() throws {
    let seen = Locked<Set<[String]>>([])
    let report = try explore(failures: 2) { run in
      let model = drafts(run, Server(), .parallel, failing: Lost.answer)
      model.execute("a")
      run.allArrive()
      let before = model.currentState
      run.recover()
      model.execute("b")
      run.allArrive()
      seen.mutate { $0.insert([before, model.currentState]) }
    }
    #expect(report.runs == 4 && seen.value == [["a", "b"], ["", "b"]])
  }

  @Test(arguments: 0...2) func atMostSoManyRequestsFail(_ failures: Int) throws {
    let seen = Locked<Set<Int>>([])
    try explore(failures: failures) { run in
      let model = drafts(run, Server(), .parallel, failing: Lost.answer)
      let answers = Locked(0)
      let states = model.stateObservable.skip(1).subscribe(onNext: { _ in answers.increment() })
      for text in ["a", "b"] { model.execute(text) }
      run.allArrive()
      seen.mutate { $0.insert(2 - answers.value) }
      states.dispose()
    }
    #expect(seen.value == Set(0...failures))
  }

  // A charge whose answer is lost is sent again.
  @Test func aPaymentIsMadeTwice() throws {
    let text = failureText {
      try explore { run in
        let server = Server()
        let model = drafts(run, server, .dropWhileBusy, failing: Lost.answer)
        model.execute("10 €")
        run.allArrive()
        if model.currentState.isEmpty { model.execute("10 €") }
        run.allArrive()
        try run.expect(server.log.value.count <= 1, "paid twice")
      }
    }
    #expect(
      text.contains("paid twice") && text.contains("answer to save is lost\n"), "\(text)")
  }

  // `perform`, whose task is cancelled, and a timeout.
  @Test func aRequestGoesOnWithoutItsCaller() throws {
    let seen = Locked<Set<[String]>>([])
    try explore { run in
      let server = Server()
      let model = ClosureViewModel<String, String>("", scheduler: run.scheduler) { _, text in
        Observable.task { try await run.request("save") { server.store(text) } }
          .timeout(.seconds(1), scheduler: run.scheduler).mutate { $0 = $1 }
      } overrides: {
        $0.handles = { _, _, _ in true }
      }
      model.execute("a")
      run.allArrive()
      seen.mutate { $0.insert([model.currentState] + server.log.value) }
    }
    #expect(seen.value == [["a", "a"], ["", "a"], [""]])
  }

  @Test func whatTheServerThrowsIsItsAnswer() throws {
    try explore { run in
      let model = ClosureViewModel<Int, Int>(0, scheduler: run.scheduler) { _, _ in
        Observable.task { try await run.request("save") { throw Lost.answer } }.mutate { $0 = $1 }
      } overrides: {
        $0.errorMapper = { _, error, _ in error is Lost ? { @Sendable _ in 7 } : nil }
      }
      model.execute(1)
      run.allArrive()
      try run.expect(model.currentState, equals: 7)
    }
  }

  // In each mode, with each fate, however the actions end: the server handles each request at most once, and no answer is made up.
  @Test(
    arguments: [
      ExecutionMode.parallel, .parallelOrdered, .sequence, .switchLatest, .keepLatest, .dropWhileBusy, .join("save"),
      .switchLatest("save", after: .seconds(1)),
    ], ["arrivals", "cancelActions", "clear", "perform", "timeout"])
  func aRequestIsHandledOnceAtMost(_ mode: ExecutionMode, _ end: String) throws {
    let report = try explore(limit: 100) { run in
      let (server, sent) = (Server(), Locked(0))
      let model = ClosureViewModel<String, [String]>([], scheduler: run.scheduler) { _, text in
        let answer = Observable.task {
          sent.increment()
          return try await run.request(text, failing: Lost.answer) { server.store(text) }
        }
        let limited = end == "timeout" ? answer.timeout(.seconds(2), scheduler: run.scheduler) : answer
        return limited.mutate { $0.append($1) }
      } overrides: {
        $0.mode = { _, _ in mode }
        $0.handles = { _, _, _ in true }
      }
      let outer = ClosureViewModel<String, Int>(0, scheduler: run.scheduler) { _, text in
        Observable.task { try await model.perform(text) }.mutate { $0 = $1.count }
      } overrides: {
        $0.handles = { _, _, _ in true }
      }
      for text in ["a", "b"] {
        if end == "perform" { outer.execute(text) } else { model.execute(text) }
        run.mayArrive()
      }
      if end == "cancelActions" { model.cancelActions { _ in true } }
      if end == "clear" { model.clear() }
      run.allArrive()
      let handled = server.log.value
      try run.expect(Set(handled).count == handled.count && handled.count <= sent.value, "handled twice")
      try run.expect(model.currentState.allSatisfy(handled.contains), "an answer of nobody")
      withExtendedLifetime(outer) {}
    }
    #expect(report.runs > 20)
  }

  // Fates belong to the requests, so runs in which another one fails are compared with others of that kind.
  @Test func valuesAreComparedAmongRunsInWhichTheSameRequestFails() throws {
    let report = try explore { run in
      let server = Server()
      let model = drafts(run, server, .sequence, failing: Lost.answer)
      model.execute("a")
      run.mayArrive()
      model.execute("ab")
      run.allArrive()
      return model.currentState
    }
    #expect(report.runs > 8 && report.isExhaustive)
  }
}

// contract 4.6
@Suite("What an exploration checks", .asyncEffects) struct ExploreCheckTests {
  private func counter(_ run: Exploration) -> ClosureViewModel<Int, Int> {
    ClosureViewModel(0, scheduler: run.scheduler) { _, number in
      Observable.task { try await run.arrival("answer \(number)") }.mutate { state, _ in state += number }
    }
  }

  @Test func everyStateIsChecked() throws {
    let text = failureText {
      try explore(file: "SomeTests.swift", line: 1) { run in
        let model = counter(run)
        run.always(model, "the count is small", file: "SomeTests.swift", line: 2) { $0 < 5 }
        for number in [2, 3, -4] { model.execute(number) }
        run.allArrive()
      }
    }
    #expect(
      text == """
        fails in 2 of 6 orders, first in "0-0", SomeTests.swift:1:
          2         3         -4
          starts
                    starts
                              starts
          answer 2                    0 → 2
                    answer 3          2 → 5
        the count is small, SomeTests.swift:2:
        - - 2
        + - 5
        """, "\(text)")
  }

  @Test func theFirstStateIsCheckedAndAThrownErrorNamed() {
    struct Wrong: Error {}
    let text = failureText { try explore { run in run.always(counter(run)) { _ in throw Wrong() } } }
    #expect(text.contains("A state is wrong, ") && text.contains("Wrong()"), "\(text)")
  }

  @Test func aCheckEndsWithItsRun() throws {
    let lifetimes = Lifetimes()
    try explore { run in
      let (model, object) = (counter(run), lifetimes.make())
      run.always(model) { _ in
        object.touch()
        return true
      }
      model.execute(1)
      run.allArrive()
    }
    #expect(lifetimes.alive == 0)
  }

  @Test func anExpectationOfEqualValuesShowsBoth() {
    let text = failureText {
      try explore(file: "SomeTests.swift", line: 1) { run in
        try run.expect([1, 2], equals: [1, 3], "the rows", file: "SomeTests.swift", line: 2)
      }
    }
    #expect(text.contains("the rows, - expected, + actual, SomeTests.swift:2:"), "\(text)")
    #expect(text.contains("\n-   - 3\n+   - 2"), "\(text)")
  }

  // The order decides how many times the body chooses, so no two orders have the same results.
  @Test func aComparisonThatComparesNothingFails() {
    let text = failureText {
      try explore { run in
        let model = counter(run)
        model.execute(1)
        run.mayArrive()
        if model.currentState == 1 { _ = run.choose(0...0) }
        return 7
      }
    }
    #expect(text.hasPrefix("compares nothing with \"0\": "), "\(text)")
  }

  @Test func aChoiceWithALabelIsTheSameWhereverItIsMade() throws {
    let text = failureText {
      try explore { run in
        let model = counter(run)
        model.execute(1)
        run.mayArrive()
        let isEarly = model.currentState == 1
        let size = isEarly ? run.choose("size", of: 1, 2) : 0
        run.allArrive()
        return isEarly ? size : run.choose("size", of: 1, 2) + 10
      }
    }
    #expect(text.contains("The outcome depends on the order"), "\(text)")
  }

  // contract 4.6: what `explore` prints, replays, with the same table.
  @Test func whatIsPrintedFailsAgain() throws {
    var kinds: [String: Int] = [:]
    for seed in 0..<100 as Range<UInt64> {
      let body = { try randomBody(seed, $0) }
      var failure: TestFailure?
      do { try explore(line: 1, body) } catch { failure = error as? TestFailure }
      guard let text = failure?.description, let order = text.firstMatch(of: /^.* in "([0-9x\/-]*)"/)?.1 else {
        continue
      }
      let lines = { (text: String) in text.split(separator: "\n").dropFirst() }
      let replayed = failureText { try explore(replaying: String(order), line: 1, body) }
      #expect(lines(replayed) == lines(text), "seed \(seed): \(text)\n\(replayed)")
      kinds[text.contains("\nfive, ") ? "expectation" : text.contains("server\n") ? "server" : "value", default: 0] += 1
    }
    #expect(kinds.count == 3 && kinds.values.reduce(0, +) > 30, "\(kinds)")
  }

  private func randomBody(_ seed: UInt64, _ run: Exploration) throws -> [Int] {
    var random = SplitMix64(seed: seed)
    let (model, handled) = (counter(run), Locked(0))
    let saves = ClosureViewModel<Int, Int>(0, scheduler: run.scheduler) { _, number in
      Observable.task {
        try await run.request("save \(number)", failing: number == 0 ? Lost.answer : nil) { handled.increment() }
      }.mutate { $0 = $1 }
    } overrides: {
      $0.mode = { _, number in number == 2 ? .switchLatest("save") : .sequence("save") }
    }
    for _ in 0..<3 {
      switch random.next() % 7 {
      case 0: model.execute(run.choose(1, 2))
      case 1: model.execute(run.choose("size", of: 3, 4, 5))
      case 2: run.mayArrive()
      case 3, 4: saves.execute(Int(random.next() % 3))
      default: model.execute(Int(random.next() % 3))
      }
    }
    let isOdd = model.currentState % 2 == 1
    run.allArrive()
    let kind = random.next() % 3
    if kind == 0 { try run.expect(model.currentState != 5 && saves.currentState != 1, "five") }
    if kind == 1, isOdd { _ = run.choose(0...1) }
    return [model.currentState % 4, isOdd ? 1 : 0, saves.currentState]
  }
}
