import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// A feed whose plans and effects a test makes one after the other, and what its streams have emitted.
final class FeedScreen: Sendable {
  let plans = Locked<[FeedPlan]>([])
  let states = Locked<[Feed]>([])
  let phases = Locked<[String]>([])
  let diagnosed = Locked<[String]>([])
  let viewModel: ClosureViewModel<Int, Feed>
  private let subjects = (0..<1_100).map { _ in PublishSubject<FeedPlan.Change>() }
  private let bag = DisposeBag()

  init(_ rows: [Int] = [], observesPhases: Bool = true, makesLog log: [Int] = []) {
    let row = FeedRow(
      plans: { [plans] in plans.value[$0] },
      effect: { [subjects] action in
        subjects[action].map { change in
          { row in
            var feed = Feed(rows: [row])
            change(&feed)
            row = feed.rows[0]
          }
        }
      })
    let initial = Feed(rows: rows.map { Feed.Row(id: $0) }, log: log)
    viewModel = ClosureViewModel(initial, scheduler: ImmediateScheduler()) { [plans, subjects] _, action in
      let plan = plans.value[action]
      if plan.isSilent, let first = plan.first { return .mutate { first(&$0) } }
      let later = subjects[action].mutate { (feed: inout Feed, change: FeedPlan.Change) in change(&feed) }
      return plan.first.map { first in .concat([.mutate { first(&$0) }, later]) } ?? later
    } overrides: { [plans, diagnosed] in
      $0.child = { _, action in plans.value[action].row.map { .init(row, action, at: \.rows, id: $0, as: { $0 }) } }
      $0.mode = { _, action in plans.value[action].mode }
      $0.update = { _, action in plans.value[action].update }
      $0.errorMapper = { _, _, action in plans.value[action].errorMapper }
      $0.diagnose = { _, diagnostic in diagnosed.append("\(diagnostic)") }
    }
    viewModel.stateObservable.skip(1).subscribe(onNext: { [states] in states.append($0) }).disposed(by: bag)
    if observesPhases {
      viewModel.executionObservable.subscribe(onNext: { [phases] in phases.append("\($0.action) \($0.phase)") })
        .disposed(by: bag)
    }
  }

  var state: Feed { viewModel.currentState }
  var ids: [Int] { state.rows.map(\.id) }

  /// Executes an action of its own number, and returns that.
  @discardableResult
  func execute(_ plan: FeedPlan) -> Int {
    plans.append(plan)
    let action = plans.value.count - 1
    viewModel.execute(action)
    return action
  }

  /// A synchronous action: what the user types or selects.
  func type(_ body: @escaping FeedPlan.Change) { execute(FeedPlan(isSilent: true, first: body)) }

  func isRunning(_ action: Int) -> Bool { subjects[action].hasObservers }
  func send(_ action: Int, _ body: @escaping FeedPlan.Change) { subjects[action].onNext(body) }
  func complete(_ action: Int) { subjects[action].onCompleted() }
  func fail(_ action: Int) { subjects[action].onError(Offline()) }

  /// Sends the rows of the server, and completes.
  func answer(_ snapshot: Int, _ rows: [Feed.Row]) {
    send(snapshot) { $0.rows = rows }
    complete(snapshot)
  }
}

extension FeedPlan {
  static func change(_ body: @escaping Change) -> FeedPlan { FeedPlan(change: body) }
  static var snapshot: FeedPlan { FeedPlan(isSnapshot: true) }
}

// Contract 2.20.
struct OptimisticUpdateTests {
  @Test func aChangeShowsAtOnceAndStaysWhenItsActionCompletes() {
    let screen = FeedScreen()
    let action = screen.execute(.change { $0.log.append(1) })
    #expect(screen.state.log == [1])
    screen.send(action) { $0.log.append(2) }
    screen.complete(action)
    #expect(screen.states.value.map(\.log) == [[1], [1, 2]])
  }

  // An effect may say "saving" first.
  @Test func aMapperConfirmsNothing() {
    let screen = FeedScreen()
    let action = screen.execute(.change { $0.log.append(1) })
    screen.send(action) { $0.log.append(2) }
    screen.fail(action)
    #expect(screen.states.value.map(\.log) == [[1], [1, 2], [2]])
  }

  @Test(arguments: ["error", "cancellation", "successor"])
  func onlyWhatTheActionHasChangedIsTakenBack(end: String) {
    let screen = FeedScreen()
    let other = screen.execute(.change { $0.log.append(1) })
    let action = screen.execute(FeedPlan(change: { $0.log.append(2) }, mode: .switchLatest("a")))
    screen.type { $0.log.append(3) }
    switch end {
    case "error": screen.fail(action)
    case "cancellation": screen.viewModel.cancelActions { $0 == action }
    default: screen.execute(FeedPlan(change: { $0.log.append(4) }, mode: .switchLatest("a")))
    }
    screen.complete(other)
    #expect(screen.state.log == (end == "successor" ? [1, 3, 4] : [1, 3]))
  }

  // The count has the likes of others, too: it isn't set, and yet right.
  @Test func aChangeMayCount() {
    let screen = FeedScreen(makesLog: [5])
    let like = screen.execute(.change { $0.log[0] += 1 })
    let second = screen.execute(.change { $0.log[0] += 1 })
    #expect(screen.state.log == [7])
    screen.fail(like)
    #expect(screen.state.log == [6])
    screen.complete(second)
    #expect(screen.state.log == [6])
  }

  // One state: without the change, with what the mapper says.
  @Test func theErrorMapperTakesBackInTheSameStep() {
    let screen = FeedScreen()
    let action = screen.execute(FeedPlan(change: { $0.log.append(1) }, recovery: { $0.log.append(9) }))
    screen.fail(action)
    #expect(screen.states.value.map(\.log) == [[1], [9]])
  }

  @Test func anErrorWithoutAMapperIsReportedAfterTheStateWithoutTheChange() {
    let screen = FeedScreen()
    let seen = Locked<[[Int]]>([])
    let subscription = screen.viewModel.errorObservable
      .subscribe(onNext: { [seen] _ in seen.append(screen.state.log) })
    screen.fail(screen.execute(.change { $0.log.append(1) }))
    #expect(seen.value == [[]])
    subscription.dispose()
  }

  @Test func aChangeThatThrowsChangesNothing() {
    let viewModel = ClosureViewModel<Int, Int>(1, scheduler: ImmediateScheduler()) { _, _ in
      .mutate { $0 += 10 }
    } overrides: {
      $0.update = { _, _ in
        .change {
          $0 = 5
          throw Offline()
        }
      }
    }
    viewModel.execute(0)
    #expect(viewModel.currentState == 11)
  }

  // A mapper that has no row to change when it runs again.
  @Test func aMapperThatThrowsWhenItRunsAgainChangesNothing() {
    let viewModel = ClosureViewModel<String, [Int]>([], scheduler: ImmediateScheduler()) { _, action in
      action == "insert" ? .never() : .mutate { if $0.isEmpty { throw Offline() } else { $0[0] += 1 } }
    } overrides: {
      $0.update = { _, action in action == "insert" ? .change { $0 = [1] } : nil }
    }
    let bag = DisposeBag()
    let errors = Locked(0)
    viewModel.errorObservable.subscribe(onNext: { _ in errors.increment() }).disposed(by: bag)
    viewModel.execute("insert")
    viewModel.execute("count")
    #expect(viewModel.currentState == [2])
    viewModel.cancelActions { $0 == "insert" }
    #expect(viewModel.currentState == [] && errors.value == 0)
  }

  // A mapper that throws at first leaves the state, and fails the action.
  @Test func aMapperThatThrowsAmongUnconfirmedStepsLeavesTheState() {
    let viewModel = ClosureViewModel<String, [Int]>([1], scheduler: ImmediateScheduler()) { _, action in
      action == "wait" ? .never() : .mutate { _ in throw Offline() }
    } overrides: {
      $0.update = { _, action in action == "wait" ? .change { $0.append(2) } : .change { $0.append(3) } }
    }
    viewModel.execute("wait")
    viewModel.execute("fail")
    #expect(viewModel.currentState == [1, 2])
  }

  // MARK: Lanes

  @Test func aChangeShowsWhileItsActionWaits() {
    let screen = FeedScreen()
    let actions = (1...3).map { value in
      screen.execute(FeedPlan(change: { $0.log.append(value) }, mode: .sequence("a")))
    }
    #expect(screen.state.log == [1, 2, 3] && !screen.isRunning(actions[1]))
    screen.fail(actions[0])
    #expect(screen.state.log == [2, 3])
    screen.viewModel.cancelActions { $0 == actions[1] }
    #expect(screen.state.log == [3])
    screen.complete(actions[2])
    #expect(screen.states.value.map(\.log) == [[1], [1, 2], [1, 2, 3], [2, 3], [3], [3]])
  }

  @Test func aDroppedActionShowsNothing() {
    let screen = FeedScreen()
    for value in 1...2 { screen.execute(FeedPlan(change: { $0.log.append(value) }, mode: .dropWhileBusy)) }
    #expect(screen.states.value.map(\.log) == [[1]])
  }

  @Test func ofWaitingActionsThatReplaceEachOtherOnlyTheNewestShows() {
    let screen = FeedScreen()
    let actions = (1...3).map { value in
      screen.execute(FeedPlan(change: { $0.log = [value] }, mode: .keepLatest))
    }
    #expect(screen.state.log == [3])
    screen.complete(actions[0])
    screen.fail(actions[2])
    #expect(screen.state.log == [1])
  }

  @Test(arguments: [true, false]) func aJoinedChangeEndsAsTheRunningOne(completes: Bool) {
    let screen = FeedScreen()
    let actions = (1...2).map { value in screen.execute(FeedPlan(change: { $0.log.append(value) }, mode: .join)) }
    #expect(screen.state.log == [1, 2])
    if completes { screen.complete(actions[0]) } else { screen.fail(actions[0]) }
    #expect(screen.state.log == (completes ? [1, 2] : []))
  }

  @Test func aBatchTakesBackWhatItDoesNotReach() {
    let screen = FeedScreen()
    screen.plans.append(FeedPlan(change: { $0.log.append(1) }))
    screen.plans.append(FeedPlan(change: { $0.log.append(2) }))
    screen.viewModel.executeInSequence(0, 1)
    #expect(screen.state.log == [1, 2])
    screen.fail(0)
    #expect(screen.state.log == [])
  }

  @Test func likeUnlikeLikeWithTheMiddleOneFailing() {
    let screen = FeedScreen()
    let likes = [1, 0, 1].map { value in screen.execute(FeedPlan(change: { $0.log = [value] }, mode: .sequence("post")))
    }
    screen.complete(likes[0])
    #expect(screen.state.log == [1])
    screen.fail(likes[1])
    #expect(screen.state.log == [1])
    screen.complete(likes[2])
    #expect(screen.state.log == [1])
  }

  // MARK: Other mappers

  // What you do shows on top; what a server says shows under what isn't confirmed yet.
  @Test func anAnswerShowsUnderAnUnconfirmedChangeAndTypingOnTop() {
    let screen = FeedScreen()
    let other = screen.execute(FeedPlan())
    let save = screen.execute(.change { $0.log = [1] })
    screen.send(other) { $0.log = [2] }
    #expect(screen.state.log == [1])
    screen.type { $0.log.append(3) }
    #expect(screen.state.log == [1, 3])
    screen.fail(save)
    #expect(screen.state.log == [2, 3])
  }

  @Test func aSourceIsAnAnswer() {
    let subject = PublishSubject<Int>()
    let viewModel = ClosureViewModel<Int, [Int]>([], scheduler: ImmediateScheduler()) { _, _ in
      .never()
    } overrides: {
      $0.sources = { _ in [subject.mutate { $0 = [$1] }] }
      $0.update = { _, action in .change { $0.append(action) } }
    }
    viewModel.execute(1)
    subject.onNext(5)
    #expect(viewModel.currentState == [5, 1])
    viewModel.cancelActions { _ in true }
    #expect(viewModel.currentState == [5])
  }

  // MARK: Snapshots

  // The request sees the row or not, whatever the answer says first.
  @Test func aSnapshotThatBeginsBetweenARequestsHandlingAndItsAnswer() {
    let screen = FeedScreen([1])
    let insert = screen.execute(.change { $0.insert(2) })
    let refresh = screen.execute(.snapshot)
    screen.answer(refresh, [.init(id: 1), .init(id: 2)])
    #expect(screen.ids == [1, 2])
    screen.complete(insert)
    #expect(screen.ids == [1, 2])
  }

  @Test func aSnapshotThatIsOlderThanAConfirmedChange() {
    let screen = FeedScreen([1, 2])
    let refresh = screen.execute(.snapshot)
    let delete = screen.execute(.change { $0.remove(2) })
    screen.complete(delete)
    screen.answer(refresh, [.init(id: 1), .init(id: 2)])
    #expect(screen.ids == [1])
    let second = screen.execute(.snapshot)
    screen.answer(second, [.init(id: 1), .init(id: 2)])
    #expect(screen.ids == [1, 2])
  }

  @Test func ofTwoSnapshotsOutOfOrderTheNewerShows() {
    let screen = FeedScreen([1])
    let (old, new) = (screen.execute(.snapshot), screen.execute(.snapshot))
    screen.answer(new, [.init(id: 3)])
    screen.answer(old, [.init(id: 2)])
    #expect(screen.ids == [3])
  }

  @Test func whatASnapshotsOwnRequestHasChangedIsUnderItsAnswer() {
    let screen = FeedScreen([1])
    let rename = screen.execute(FeedPlan(change: { $0.append(5, to: 1) }, isSnapshot: true))
    #expect(screen.state.rows == [.init(id: 1, text: [5])])
    screen.send(rename) { $0.rows = [.init(id: 1, text: [6])] }
    #expect(screen.state.rows == [.init(id: 1, text: [6])])
    screen.send(rename) { $0.append(7, to: 1) }
    screen.complete(rename)
    #expect(screen.state.rows == [.init(id: 1, text: [6, 7])])
  }

  @Test func aSnapshotWithoutAMapperIsNone() {
    let screen = FeedScreen([1])
    let refresh = screen.execute(.snapshot)
    screen.type { $0.log.append(1) }
    screen.complete(refresh)
    #expect(screen.state == Feed(rows: [.init(id: 1)], log: [1]))
  }

  @Test func aToastDismissedDuringASnapshotStaysDismissed() {
    let screen = FeedScreen(makesLog: [1])
    let refresh = screen.execute(.snapshot)
    screen.type { $0.log = [] }
    screen.send(refresh) { $0.rows = [.init(id: 2)] }
    #expect(screen.state == Feed(rows: [.init(id: 2)]))
  }

  @Test func aPageAppendedDuringARefreshIsReplacedByIt() {
    let screen = FeedScreen([1, 2])
    let page = screen.execute(.snapshot)
    let refresh = screen.execute(.snapshot)
    screen.send(refresh) { $0.rows = [.init(id: 1)] }
    screen.send(page) { $0.insert(3) }
    #expect(screen.ids == [1])
  }

  // It writes what the snapshot owns, and shows nothing early.
  @Test func aPlainActionStandsInTheListWhileASnapshotRuns() {
    let screen = FeedScreen([1])
    let refresh = screen.execute(.snapshot)
    let rename = screen.execute(FeedPlan())
    screen.send(rename) { $0.append(5, to: 1) }
    screen.complete(rename)
    screen.answer(refresh, [.init(id: 1)])
    #expect(screen.state.rows == [.init(id: 1, text: [5])])
  }

  @Test func anAccountSwitchedWithAnInsertUnconfirmed() {
    let screen = FeedScreen([1])
    let insert = screen.execute(FeedPlan(change: { $0.insert(2) }, mode: .sequence("account")))
    screen.execute(FeedPlan(isSilent: true, first: { $0.rows = [] }, mode: .switchLatest("account")))
    #expect(screen.ids == [] && !screen.isRunning(insert))
  }

  // MARK: Around it

  @Test func performReturnsWhatIsShown() async throws {
    let screen = FeedScreen()
    screen.execute(.change { $0.log.append(1) })
    screen.plans.append(.change { $0.log.append(2) })
    async let state = screen.viewModel.perform(1)
    while !screen.isRunning(1) { await Task.yield() }
    screen.send(1) { $0.log.append(3) }
    screen.complete(1)
    #expect(try await state.log == [1, 2, 3])
  }

  // The state alone tells it; a step of an action carries the shown state.
  @Test func showingAndTakingBackAreNoStepsOfAnAction() {
    let screen = FeedScreen()
    let actions = Locked<[[Int]]>([])
    let subscription = screen.viewModel.actionAndStateObservable.subscribe(onNext: { [actions] in
      actions.append($0.state.log)
    })
    let action = screen.execute(.change { $0.log.append(1) })
    screen.send(action) { $0.log.append(2) }
    screen.fail(action)
    #expect(actions.value == [[1, 2]])
    #expect(screen.phases.value.map { String($0.prefix(9)) } == ["0 started", "0 emitted", "0 failed:"])
    subscription.dispose()
  }

  @Test func anObserverOfTheChangeCancelsTheAction() {
    let screen = FeedScreen()
    let subscription = screen.viewModel.stateObservable
      .subscribe(onNext: { if $0.log == [1] { screen.viewModel.cancelActions { _ in true } } })
    let action = screen.execute(.change { $0.log.append(1) })
    #expect(screen.state.log == [] && !screen.isRunning(action))
    #expect(screen.phases.value == ["0 cancelled"])
    subscription.dispose()
  }

  // As inside the state of a mapper for the error.
  @Test func anObserverOfWhatIsTakenBackCancelsTheAction() {
    let screen = FeedScreen()
    let (action, errors) = (screen.execute(.change { $0.log.append(1) }), Locked(0))
    let subscriptions = [
      screen.viewModel.errorObservable.subscribe(onNext: { _ in errors.increment() }),
      screen.viewModel.stateObservable
        .subscribe(onNext: { if $0.log == [] { screen.viewModel.cancelActions { _ in true } } }),
    ]
    screen.fail(action)
    #expect(screen.phases.value == ["0 started", "0 cancelled"])
    #expect(screen.states.value.map(\.log) == [[1], []] && errors.value == 0)
    for subscription in subscriptions { subscription.dispose() }
  }

  @Test func theEffectSeesItsOwnChange() {
    let seen = Locked<[Int]>([])
    let viewModel = ClosureViewModel<Int, [Int]>([], scheduler: ImmediateScheduler()) { model, _ in
      seen.mutate { $0 = model.currentState }
      return .never()
    } overrides: {
      $0.update = { _, action in .change { $0.append(action) } }
    }
    viewModel.execute(7)
    #expect(seen.value == [7])
  }

  @Test func clearKeepsWhatIsShown() {
    let screen = FeedScreen()
    screen.execute(.change { $0.log.append(1) })
    screen.viewModel.clear()
    #expect(screen.state.log == [1])
  }

  // The effect of a failing action is disposed before its change is taken back.
  @Test func clearKeepsWhatIsShownWhileAnActionFails() {
    let screen = Locked<ClosureViewModel<Int, [Int]>?>(nil)
    let viewModel = ClosureViewModel<Int, [Int]>([], scheduler: ImmediateScheduler()) { _, _ in
      let failing = Observable<StateMapper<[Int]>>.just { _ in throw Offline() }
      return failing.concat(.never()).do(onDispose: { screen.value?.clear() })
    } overrides: {
      $0.update = { _, number in .change { $0.append(number) } }
    }
    screen.mutate { $0 = viewModel }
    let states = viewModel.stateObservable.test()
    viewModel.execute(1)
    #expect(states.values == [[], [1]] && states.isCompleted)
    #expect(viewModel.currentState == [1])
    screen.mutate { $0 = nil }
  }

  @Test func nothingIsKeptWhenEverythingIsDecided() {
    final class Token: Sendable {}
    let screen = FeedScreen()
    weak var released: Token?
    do {
      let token = Token()
      released = token
      let (first, second) = (screen.execute(.change { _ in _ = token }), screen.execute(.snapshot))
      screen.plans.mutate { $0[first] = FeedPlan() }
      screen.complete(first)
      screen.complete(second)
    }
    #expect(released == nil)
  }

  @Test func aThousandStepsBehindOneThatDoesNotEndAreReported() {
    let screen = FeedScreen()
    screen.execute(.change { $0.insert(1) })
    screen.execute(FeedPlan())
    for _ in 0..<1_050 { screen.type { $0.log = [] } }
    #expect(
      screen.diagnosed.value
        == ["0 has an optimistic update and doesn't end, so 1,000 later changes wait for its outcome"])
  }

  @Test func aThousandChangesOfActionsThatWaitAreReported() {
    let screen = FeedScreen()
    for number in 0..<1_000 { screen.execute(FeedPlan(change: { $0.insert(number) }, mode: .sequence)) }
    #expect(
      screen.diagnosed.value
        == ["0 has an optimistic update and doesn't end, so 1,000 later changes wait for its outcome"])
  }

  /// A screen on which -1 shows a change, -2 takes a snapshot, and neither ends.
  private func stuck<State: Sendable>(
    _ state: State, _ diagnosed: Locked<Int>, _ change: @escaping @Sendable (inout State, Int) -> Void
  ) -> ClosureViewModel<Int, State> {
    ClosureViewModel(state, scheduler: ImmediateScheduler()) { _, number in
      number < 0 ? .never() : .mutate { change(&$0, number) }
    } overrides: {
      $0.update = { _, number in number == -1 ? .change { _ in } : number == -2 ? .snapshot : nil }
      $0.diagnose = { _, _ in diagnosed.increment() }
    }
  }

  private struct Unequal: Sendable { var number = 0 }

  // With `==`, what is certain moves in front of a snapshot, and so out of the list.
  @Test func aReportComesAfterASnapshotThatMovesWhatIsCertain() {
    let diagnosed = Locked(0)
    let screen = stuck(0, diagnosed) { $0 = $1 }
    screen.execute(-1)
    for number in 0..<998 { screen.execute(number) }
    screen.execute(-2)
    for number in 0..<1_050 { screen.execute(number) }
    #expect(diagnosed.value == 1)
  }

  // contract 2.9
  @Test func noEffectIsAskedForAfterAReportThatClears() {
    let asked = Locked<[Int]>([])
    let screen = ClosureViewModel<Int, Unequal>(Unequal(), scheduler: ImmediateScheduler()) { _, number in
      asked.append(number)
      return number < 0 ? .never() : .mutate { $0.number = number }
    } overrides: {
      $0.update = { _, number in number == -1 ? .change { _ in } : number == -2 ? .snapshot : nil }
      $0.diagnose = { viewModel, _ in viewModel.clear() }
    }
    screen.execute(-1)
    for number in 0..<998 { screen.execute(number) }
    screen.execute(-2)
    #expect(asked.value.count == 999 && asked.value.last == 997)
  }

  // Without `==`, nothing moves in front of a snapshot.
  @Test func aSnapshotMayBeTheThousandthStep() {
    let diagnosed = Locked(0)
    let screen = stuck(Unequal(), diagnosed) { $0.number = $1 }
    screen.execute(-1)
    for number in 0..<998 { screen.execute(number) }
    #expect(diagnosed.value == 0)
    screen.execute(-2)
    #expect(diagnosed.value == 1)
    screen.execute(0)
    #expect(diagnosed.value == 1)
  }
}
