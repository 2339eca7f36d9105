import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.19
struct ChildTests {
  private let answer = PublishSubject<Int>()

  private var feature: FormFeature { FormFeature(answer: answer.asObservable()) }

  private struct Row: Sendable, Identifiable {
    let id: Int
    let object: Lifetimes.Object
  }

  private struct RowFeature: Feature {
    func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Row>> {
      switch action {
      case 3: .error(TestError())
      case 4: context.cancel { _ in false }
      default: .never()
      }
    }
  }

  enum Kept: CaseIterable {
    case stream, endedSubscription, property, failure
    /// Nothing, and the end drops the second half of a child's `context.cancel`.
    case cancellation
  }

  /// How the view model's last turn ends.
  enum LastTurn: CaseIterable {
    case runs, isDropped
  }

  // contract 2.9: whatever of the view model an app still holds
  @Test(arguments: Kept.allCases, LastTurn.allCases)
  func aReleasedViewModelKeepsNoRows(kept: Kept, lastTurn: LastTurn) {
    let (lifetimes, bag) = (Lifetimes(), DisposeBag())
    var scheduler: HandScheduler? = HandScheduler()
    var rest: Any?
    do {
      let rows = ClosureViewModel<Int, [Row]>(
        [Row(id: 0, object: lifetimes.make())], scheduler: scheduler
      ) {
        $0.effect = { viewModel, action in
          if action == 5 { viewModel.clear() }
          return .unchanged()
        }
        $0.child = { _, action in
          [2, 5].contains(action) ? nil : .init(RowFeature(), action, at: \.self, id: 0, as: { $0 })
        }
      }
      rows.execute(1)
      rows.execute(2)
      scheduler!.run()
      switch kept {
      case .stream: rest = rows.stateObservable
      case .endedSubscription: rows.stateObservable.subscribe { _ in }.disposed(by: bag)
      case .property: rest = rows.property { $0.count }
      case .failure:
        let failures = rows.actionAndErrorObservable.test()
        rows.execute(3)
        scheduler!.run()
        rest = failures.values
      case .cancellation:
        rows.execute(4)
        rows.execute(5)
        scheduler!.run()
      }
      #expect(lifetimes.alive == 1)
    }
    if lastTurn == .runs { scheduler!.run() }
    scheduler = nil
    #expect(lifetimes.alive == 0)
    withExtendedLifetime(rest) {}
    bag.dispose()
  }

  // contract 2.9
  @Test func aReleasedViewModelKeepsNoFailureBelowARemovedChild() {
    let lifetimes = Lifetimes()
    do {
      let screen = Levels.Screen(Levels.editing()) { [object = lifetimes.make()] script in
        script.form = { _, _ in
          object.touch()
          return .error(TestError())
        }
      }
      screen.execute(.edit(.run("fail")))
      screen.execute(.show(nil))
    }
    #expect(lifetimes.alive == 0)
  }

  @Test func aRemovedRowEndsItsRequest() {
    let viewModel = ParentViewModel(feature)
    let ends = viewModel.ends()
    viewModel.execute(.setRows([Form(id: 1), Form(id: 2)]))
    viewModel.execute(.row(1, .save))
    viewModel.execute(.row(2, .save))
    // The rows change their order, one of them is edited, and a new one comes.
    viewModel.execute(.setRows([Form(id: 3), Form(id: 2), Form(id: 1, name: "edited")]))
    answer.onNext(1)
    #expect(viewModel.currentState.rows.map(\.saved) == [0, 1, 1])
    viewModel.execute(.setRows([Form(id: 2), Form(id: 3)]))
    #expect(ends.values.last == "\(ParentAction.row(1, .save)) cancelled")
    answer.onNext(2)
    #expect(viewModel.currentState.rows == [Form(id: 2, saved: 2), Form(id: 3)])
  }

  @Test func aRowThatTakesAnotherIDHasGone() {
    let viewModel = ParentViewModel(feature)
    viewModel.execute(.setRows([Form(id: 1), Form(id: 2)]))
    viewModel.execute(.row(1, .save))
    viewModel.execute(.row(1, .setID(9)))
    #expect(!answer.hasObservers)
    #expect(viewModel.currentState.rows == [Form(id: 9), Form(id: 2)])
  }
}

private typealias Action = Levels.Action

// contract 2.19, 1.10: a turn ends at most 1,024 actions of a child that has gone
struct ChildTurnTests {
  private static let (bound, count) = (1_024, 5_000)

  @Test func theActionsOfAChildThatGoesEndInSeveralTurns() {
    let scheduler = StepScheduler()
    let screen = Levels.Screen(Levels.editing(), scheduler: scheduler) { script in script.form = { _, _ in .never() } }
    for number in 0..<Self.count { screen.execute(.edit(.run("\(number)"))) }
    scheduler.runAll()
    let fates = screen.fates()
    screen.execute(.detail(.show(nil)))
    screen.execute(.run("later"))
    let counts = scheduler.changes { fates.values.count { $0.hasSuffix("cancelled") } }
    #expect(counts.allSatisfy { $0 <= Self.bound } && counts.count >= Self.count / Self.bound)
    // The ends precede the next action.
    let show = Action.detail(.show(nil))
    let cancelled = (0..<Self.count).map { "\(Action.edit(.run("\($0)"))) cancelled" }
    let later = ["\(Action.run("later")) started", "\(Action.run("later")) completed"]
    #expect(fates.values == ["\(show) started", "\(show) completed"] + cancelled + later)
  }
}

// contract 2.19: what follows an action
@Suite(.serialized, .stress) struct FollowerCostTests {
  @Test(.timeLimit(.minutes(3))) func theFollowersOfOneActionAreLinear() {
    expectGrowth(from: 2_000, below: 9) { count in
      let screen = Levels.Screen(Levels.editing()) { script in
        script.form = { _, context in
          Observable.from(0..<count).flatMap { number in
            Levels.FormEffect.empty().then(.set("\(number)"), on: context)
          }
        }
      }
      screen.execute(.edit(.run("all")))
      #expect(screen.currentState == Levels.editing("\(count - 1)"))
    }
  }
}

// contract 2.3: the first mapper makes the child another one, which ends the action; its source is told to stop
struct EndedByItsOwnFoldTests {
  private struct Row: Feature {
    typealias Action = Int
    struct State: Sendable { var id = 0 }
    let asked: Locked<Int>

    func identity(of state: State) -> AnyHashable? { state.id }

    func createObservable(_ action: Int, context: FeatureContext<Row>) -> Observable<StateMapper<State>> {
      Observable.from(0..<10_000).do(onNext: { [asked] _ in asked.mutate { $0 += 1 } }).mutate { state, _ in
        state.id += 1
      }
    }
  }

  private struct Parent: Sendable { var row = Row.State() }

  @Test func aSynchronousSourceIsToldToStop() {
    let row = Row(asked: Locked(0))
    let viewModel = ClosureViewModel<Int, Parent>(Parent(), scheduler: ImmediateScheduler()) {
      $0.child = { _, action in .init(row, action, at: \.row, as: { $0 }) }
    }
    let fates = viewModel.fates()
    viewModel.execute(0)
    #expect(viewModel.currentState.row.id == 1)
    #expect(row.asked.value <= 257)
    #expect(fates.values == ["0 started", "0 cancelled"])
  }
}
