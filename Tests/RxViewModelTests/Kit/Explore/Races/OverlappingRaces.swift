import RxViewModel
import RxViewModelTesting

@testable import TestSupport

// Races that show only if arrivals overlap.

extension PlantedRace {
  static let overlaps = [
    PlantedRace("a request that returns although it has been cancelled navigates") { run, isMended in
      let screens = TestNavigator<String>(scheduler: run.scheduler)
      let model = SavingModel(run.answer, isMended, screens.navigator, run.scheduler)
      model.execute(.save)
      run.mayArrive()
      model.execute(.discard)
      run.allArrive()
      try run.expect(screens.routes == (model.currentState.isDiscarded ? [] : ["saved"]))
    },
    PlantedRace("two answers pass the same check") { run, isMended in
      let model = TicketModel(run.answer, isMended, run.scheduler)
      model.execute(.buy("a"))
      model.execute(.buy("b"))
      run.allArrive()
      try run.expect(model.currentState.left == 0)
    },
  ]
}

// Sendable: it stores only `let`s.
private final class SavingModel: RxViewModel<SavingModel.Action, SavingModel.State>, @unchecked Sendable {
  enum Action: Sendable { case save, discard }
  struct State: Sendable, Equatable {
    var isSaved = false
    var isDiscarded = false
  }

  private let answer: Answer
  private let isMended: Bool
  private let navigator: Navigator<String>

  init(_ answer: @escaping Answer, _ isMended: Bool, _ navigator: Navigator<String>, _ scheduler: any Scheduler) {
    (self.answer, self.isMended, self.navigator) = (answer, isMended, navigator)
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> State { State() }

  override func createObservable(_ action: Action) -> Effect {
    let (answer, isMended, navigator) = (answer, isMended, navigator)
    switch action {
    case .save:
      return Observable<Void>.task {
        try await answer("saved")
        // A cancelled task gets here if its answer returns all the same.
        if !isMended { navigator.navigate("saved") }
      }.mutate { state, _ in
        state.isSaved = true
        if isMended { navigator.navigate("saved") }
      }
    case .discard:
      if currentState.isSaved { return .unchanged() }
      cancelActions { $0 == .save }
      return .mutate { $0.isDiscarded = true }
    }
  }
}

// Sendable: it stores only `let`s.
private final class TicketModel: RxViewModel<TicketModel.Action, TicketModel.State>, @unchecked Sendable {
  enum Action: Sendable { case buy(String) }
  struct State: Sendable, Equatable { var left = 1 }

  private let answer: Answer
  private let isMended: Bool

  init(_ answer: @escaping Answer, _ isMended: Bool, _ scheduler: any Scheduler) {
    (self.answer, self.isMended) = (answer, isMended)
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> State { State() }

  override func createObservable(_ action: Action) -> Effect {
    guard case .buy(let name) = action else { return .unchanged() }
    return .task { [self] in
      try await answer("seat of \(name)")
      // The view model may or may not have folded the other answer by now.
      return currentState.left > 0
    }.mutate { [isMended] state, isFree in
      if isMended ? state.left > 0 : isFree { state.left -= 1 }
    }
  }
}
