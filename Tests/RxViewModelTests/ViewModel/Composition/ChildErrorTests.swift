import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

private typealias List = Levels.Screen
private typealias Action = Levels.Action

// contract 2.19: an absent child, the errors of a child, and a parent that reacts in the same fold
struct ChildErrorTests {
  @Test(arguments: [Levels.Action.edit(.set("a")), .detail(.tag(1, .set("a"))), .detail(.run("a")), .row(1, .set("a"))])
  func anActionForAnAbsentChildAtAnyLevelIsDropped(action: Levels.Action) async {
    let screen = List()
    let ends = screen.ends()
    await #expect(throws: CancellationError.self) { try await screen.perform(action) }
    screen.execute(.show(Levels.Detail()))
    if case .detail(.run) = action {} else { screen.execute(action) }
    #expect(ends.values.filter { !$0.contains("show") }.allSatisfy { $0 == "\(action) dropped" })
    #expect(Set(screen.diagnosed.value) == ["\(action) is for a child that is absent, so it does nothing"])
  }

  // contract 4.2
  @Test(arguments: [Exhaustivity.on, .off])
  func aStoreFailsForAnAbsentChildUnlessTheTestExpectsIt(exhaustivity: Exhaustivity) throws {
    let scheduler = TestScheduler()
    func failure(_ action: Action, in state: Levels.State = Levels.State()) throws -> String? {
      let failure = #expect(throws: TestFailure.self) {
        try withTestStore(List(state, scheduler: scheduler), exhaustivity: exhaustivity) { store in
          try store.send(action, file: "ScreenTests.swift", line: 12)
        }
      }
      return failure?.description.split(separator: "\n").last.map { "\($0)" }
    }
    let beginning = "refused, because its child is absent:"
    let end = "(send at ScreenTests.swift:12)"
    #expect(
      try failure(.row(7, .set("a")))
        == #"  row(7, set("a")): \#(beginning) FormFeature at \State.rows, with the id 7 \#(end)"#)
    let tag = Action.detail(.tag(1, .set("a")))
    #expect(try failure(tag) == #"  detail(tag(1, set("a"))): \#(beginning) DetailFeature at \State.detail \#(end)"#)
    #expect(
      try failure(tag, in: Levels.State(detail: Levels.Detail()))
        == #"  detail(tag(1, set("a"))): \#(beginning) FormFeature at \Detail.tags, with the id 1 \#(end)"#)
    try withTestStore(List(scheduler: scheduler), exhaustivity: exhaustivity) { store in
      try store.send(tag)
      #expect(throws: TestFailure.self) { try store.expect(.dropped, of: tag) }
      try store.expect(.refused, of: tag)
    }
  }

  // MARK: Errors

  @Test(arguments: ["form", "detail", "screen", "none"]) func theFirstMapperFromTheLeafUpwardsIsFolded(level: String) {
    let screen = List(Levels.editing()) { script in
      script.form = { _, _ in .error(TestError("no")) }
      if level == "form" { script.formError = { _ in { form in Levels.Form(text: "form" + form.text) } } }
      if level != "screen", level != "none" {
        script.detailError = { _ in
          { detail in
            var detail = detail
            detail.text = "detail"
            return detail
          }
        }
      }
      if level != "none" { script.screenError = { _ in { _ in Levels.State(text: "screen") } } }
    }
    let ends = screen.ends()
    screen.execute(.edit(.run("fail")))
    let expected: Levels.State =
      switch level {
      case "form": Levels.editing("form")
      case "detail": Levels.State(detail: Levels.Detail(text: "detail", destination: .edit(Levels.Form())))
      case "screen": Levels.State(text: "screen")
      default: Levels.editing()
      }
    #expect(screen.currentState == expected)
    #expect(ends.values == ["\(Action.edit(.run("fail"))) failed"])
  }

  @Test func handleErrorOfTheViewModelIsAskedForAnActionOfAChild() {
    struct Failing: Feature {
      func createObservable(_ action: String, context: FeatureContext<Self>) -> Observable<StateMapper<Int>> {
        .error(TestError("no"))
      }
    }
    let handled = Locked<[String]>([])
    let viewModel = ClosureViewModel<Int, Int>(
      0, scheduler: ImmediateScheduler()
    ) {
      $0.child = { _, action in .init(Failing(), "part \(action)", at: \.self, as: { _ in action }) }
      $0.handles = { _, error, action in
        handled.mutate { $0.append("\(error) \(action ?? -1)") }
        return true
      }
    }
    let errors = viewModel.errorObservable.test()
    viewModel.execute(7)
    #expect(handled.value == ["no 7"])
    #expect(errors.values.isEmpty)
  }

  @Test func retryReachesTheSameInstanceOnly() {
    let attempts = Locked(0)
    let screen = List(Levels.editing()) { script in
      script.form = { _, _ in
        attempts.mutate { $0 += 1 }
        return .error(TestError("no"))
      }
    }
    let failures = screen.actionAndErrorObservable.test()
    screen.execute(.edit(.run("fail")))
    failures.values[0].retry()
    #expect(attempts.value == 2)
    screen.execute(.detail(.show(.edit(Levels.Form(id: 1)))))
    failures.values[1].retry()
    #expect(attempts.value == 2)
    screen.execute(.detail(.show(nil)))
    #expect(failures.values.count == 2)
    screen.expectDiagnosed([])
  }

  // MARK: A parent that reacts in the same fold

  @Test func updatingChangesTheParentsInEachFoldInnermostFirst() {
    let screen = List(Levels.editing()) { script in
      script.form = { _, _ in Observable.of("a", "b").mutate { $0.text += $1 } }
      script.changeDetail = { $0.text += "(\($0.destination.edit!.text))" }
      script.changeScreen = { $0.text += "[\($0.detail!.text)]" }
    }
    let states = screen.stateObservable.map(\.text).test()
    screen.execute(.edit(.run("")))
    #expect(states.values == ["", "[(a)]", "[(a)][(a)(ab)]"])
  }

  @Test func ifUpdatingThrowsNothingOfTheFoldCounts() {
    let screen = List(Levels.editing()) { script in
      script.changeScreen = { state in
        state.text = "changed"
        throw TestError("no")
      }
    }
    let ends = screen.ends()
    screen.execute(.edit(.set("a")))
    #expect(screen.currentState == Levels.editing())
    #expect(ends.values == ["\(Action.edit(.set("a"))) failed"])
  }

  // The row that the leaf stands in has another id after the mapper.
  @Test func updatingOfAnInnerLevelDoesNotNeedTheIDOfItsRow() {
    struct Row: Sendable, Identifiable {
      var leaf = 0
      var changes = 0
      var id: Int { leaf }
    }
    struct LeafFeature: Feature {
      func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Int>> {
        .mutate { $0 += action }
      }
    }
    struct RowFeature: Feature {
      func child(for action: Int) -> ChildAction<Int, Row>? {
        .init(LeafFeature(), action, at: \.leaf, as: { $0 }).updating { $0.changes += 1 }
      }
      func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Row>> { .empty() }
    }
    let viewModel = ClosureViewModel<Int, [Row]>(
      [Row()], scheduler: ImmediateScheduler()
    ) {
      $0.child = { _, action in
        .init(RowFeature(), action, at: \.self, id: 0, as: { $0 }).updating { $0.append(Row(leaf: 9)) }
      }
    }
    viewModel.execute(1)
    #expect(viewModel.currentState.map(\.leaf) == [1, 9])
    #expect(viewModel.currentState.map(\.changes) == [1, 0])
  }

  @Test func anErrorMapperOfALevelAboveIsFollowedByTheChangesOfAllLevels() {
    for level in ["detail", "screen"] {
      let screen = List(Levels.editing()) { script in
        script.form = { _, _ in .error(TestError("no")) }
        if level == "detail" { script.detailError = { _ in { $0 } } }
        script.screenError = { _ in { $0 } }
        script.changeDetail = { $0.text += "d" }
        script.changeScreen = { $0.text += $0.detail!.text }
      }
      screen.execute(.edit(.run("")))
      #expect(screen.currentState.text == "d")
    }
  }

  @Test func twoFeaturesInOnePlaceHaveTheirOwnIdentities() {
    struct Keyed: Feature {
      func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Int>> { .never() }
      func identity(of state: Int) -> AnyHashable? { state }
    }
    struct Plain: Feature {
      func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Int>> { .never() }
    }
    let viewModel = ClosureViewModel<Int, Int>(
      0, scheduler: ImmediateScheduler()
    ) {
      $0.effect = { _, _ in .mutate { $0 += 1 } }
      $0.child = { _, action in
        switch action {
        case 1: .init(Plain(), action, at: \.self, as: { $0 })
        case 2: .init(Keyed(), action, at: \.self, as: { $0 })
        default: nil
        }
      }
    }
    let cancelled = viewModel.executionObservable.compactMap { $0.phase == .cancelled ? $0.action : nil }.test()
    for action in [1, 2, 3] { viewModel.execute(action) }
    #expect(cancelled.values == [2])
  }
}

// contract 2.19: an action that a parent leaves to a child, and that child(for:) has forgotten
struct ForgottenChildTests {
  private struct Leaf: Feature {
    func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Int>> {
      .mutate { $0 = action }
    }
  }

  /// Forgets the actions below zero.
  private struct Panel: Feature {
    func child(for action: Int) -> ChildAction<Int, Int>? {
      action < 0 ? nil : .init(Leaf(), action, at: \.self, as: { $0 })
    }

    func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Int>> {
      .handledByChild()
    }
  }

  private let diagnosed = Locked<[String]>([])

  /// Forgets action 100, and leaves the others to its panel.
  private var screen: ClosureViewModel<Int, Int> {
    ClosureViewModel(7, scheduler: ImmediateScheduler()) {
      $0.effect = { _, _ in .handledByChild() }
      $0.child = { _, action in action == 100 ? nil : .init(Panel(), action, at: \.self, as: { $0 }) }
      $0.diagnose = { [diagnosed] _, diagnostic in diagnosed.mutate { $0.append("\(diagnostic)") } }
    }
  }

  @Test func theViewModelDiagnosesTheActionAndWhereTheParentLeavesIt() async throws {
    let screen = screen
    let ends = screen.ends()
    for action in [100, -200] { screen.execute(action) }
    #expect(ends.values == ["100 failed", "-200 failed"] && screen.currentState == 7)
    let texts = diagnosed.value
    try #require(texts.count == 2)
    for (text, action) in zip(texts, ["100", "-200"]) {
      #expect(text.contains(action) && text.contains("child(for:) returned nil for this action"), "\(text)")
      #expect(text.contains("ChildErrorTests.swift:"), "\(text)")
    }
    #expect(texts[0] != texts[1])
    await #expect(throws: (any Error).self) { try await screen.perform(100) }
  }

  @Test func aDeclaredChildAnswersInItsPlace() {
    let screen = screen
    screen.execute(3)
    #expect(screen.currentState == 3 && diagnosed.value.isEmpty)
  }
}
