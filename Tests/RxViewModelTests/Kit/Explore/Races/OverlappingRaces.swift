import RxViewModel
import RxViewModelTesting

@testable import TestSupport

// Races that show only if arrivals overlap.

extension PlantedRace {
  static let overlaps = [
    PlantedRace("a request that returns although it has been cancelled navigates") { run, isFixed in
      let screens = TestNavigator<String>(scheduler: run.scheduler)
      let model = SavingModel(screens.navigator, run, isFixed)
      model.execute(.save)
      run.mayArrive()
      model.execute(.discard)
      run.allArrive()
      try run.expect(screens.routes == (model.currentState.isDiscarded ? [] : ["saved"]))
    },
    PlantedRace("two answers pass the same check") { run, isFixed in
      let model = TicketModel(.init(), run, isFixed)
      model.execute(.buy("a"))
      model.execute(.buy("b"))
      run.allArrive()
      try run.expect(model.currentState.left == 0)
    },
  ]
}

// Sendable: it stores only `let`s.
private final class SavingModel: RaceModel<SavingModel.Action, SavingModel.State>, @unchecked Sendable {
  enum Action: Sendable { case save, discard }
  struct State: Sendable, Equatable {
    var isSaved = false
    var isDiscarded = false
  }

  private let navigator: Navigator<String>

  init(_ navigator: Navigator<String>, _ run: Exploration, _ isFixed: Bool) {
    self.navigator = navigator
    super.init(State(), run, isFixed)
  }

  override func createObservable(_ action: Action) -> Effect {
    let (answer, isFixed, navigator) = (answer, isFixed, navigator)
    switch action {
    case .save:
      return Observable<Void>.task {
        try await answer("saved")
        // A cancelled task gets here if its answer returns all the same.
        if !isFixed { navigator.navigate("saved") }
      }.mutate { state, _ in
        state.isSaved = true
        if isFixed { navigator.navigate("saved") }
      }
    case .discard:
      if currentState.isSaved { return .unchanged() }
      cancelActions { $0 == .save }
      return .mutate { $0.isDiscarded = true }
    }
  }
}

// Sendable: it stores only `let`s.
private final class TicketModel: RaceModel<TicketModel.Action, TicketModel.State>, @unchecked Sendable {
  enum Action: Sendable { case buy(String) }
  struct State: Sendable, Equatable { var left = 1 }

  override func createObservable(_ action: Action) -> Effect {
    guard case .buy(let name) = action else { return .unchanged() }
    return .task { [self] in
      try await answer("seat of \(name)")
      // The view model may or may not have folded the other answer by now.
      return currentState.left > 0
    }.mutate { [isFixed] state, isFree in
      if isFixed ? state.left > 0 : isFree { state.left -= 1 }
    }
  }
}
