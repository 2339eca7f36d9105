import RxViewModel
import RxViewModelTesting

@testable import TestSupport

// Writes that are under way at the same time.

extension PlantedRace {
  static let writes = [
    PlantedRace("a double tap submits twice") { run, isFixed in
      let model = CheckoutModel(.init(), run, isFixed)
      model.execute(.pay)
      run.mayArrive()
      model.execute(.pay)
      run.allArrive()
      try run.expect(model.payments.value == 1)
    },
    PlantedRace("an update is lost") { run, isFixed in
      let model = BasketModel(.init(), run, isFixed)
      model.execute(.add)
      run.mayArrive()
      model.execute(.add)
      run.allArrive()
      try run.expect(model.currentState.count == 2)
    },
    PlantedRace("an optimistic value is not rolled back when two are in flight") { run, isFixed in
      let (first, second) = (run.choose(false, true), run.choose(false, true))
      let model = FavoriteModel(.init(), run, isFixed)
      model.execute(.add("a", fails: first))
      run.mayArrive()
      model.execute(.add("b", fails: second))
      run.allArrive()
      try run.expect(model.currentState.names == (first ? [] : ["a"]) + (second ? [] : ["b"]))
    },
    PlantedRace("texts are saved in another order than they were written") { run, isFixed in
      let model = NoteModel(.init(), run, isFixed)
      for text in ["a", "ab", "abc"] {
        model.execute(.write(text))
        run.mayArrive()
      }
      run.allArrive()
      try run.expect(model.saved.value == "abc")
    },
    PlantedRace("a token is refreshed twice") { run, isFixed in
      let model = AccountModel(run, isFixed)
      model.execute(.loadOrders)
      model.execute(.loadInvoices)
      run.allArrive()
      try run.expect(model.refreshes.value == 1 && model.currentState.loaded.count == 2)
    },
    PlantedRace("a retry duplicates a message") { run, isFixed in
      let model = ChatModel(.init(), run, isFixed)
      model.execute(.send("hello"))
      run.allArrive()
      try run.expect(model.received.value == ["hello"])
    },
  ]
}

// Sendable: it stores only `let`s.
private final class CheckoutModel: RaceModel<CheckoutModel.Action, CheckoutModel.State>, @unchecked Sendable {
  enum Action: Sendable { case pay }
  struct State: Sendable, Equatable { var isPaid = false }

  let payments = Locked(0)
  override func createObservable(_ action: Action) -> Effect {
    if currentState.isPaid { return .unchanged() }
    return Observable<Void>.task { [answer, payments] in
      try await answer("payment")
      payments.mutate { $0 += 1 }
    }.mutate { state, _ in state.isPaid = true }
  }

  override func executionMode(for action: Action) -> ExecutionMode { isFixed ? .dropWhileBusy : .parallel }
}

// Sendable: it stores only `let`s.
private final class BasketModel: RaceModel<BasketModel.Action, BasketModel.State>, @unchecked Sendable {
  enum Action: Sendable { case add }
  struct State: Sendable, Equatable { var count = 0 }

  override func createObservable(_ action: Action) -> Effect {
    let (count, isFixed) = (currentState.count, isFixed)
    return .task { [answer] in try await answer("added") }
      .mutate { state, _ in state.count = (isFixed ? state.count : count) + 1 }
  }
}

// Sendable: it stores only `let`s.
private final class FavoriteModel: RaceModel<FavoriteModel.Action, FavoriteModel.State>, @unchecked Sendable {
  enum Action: Sendable { case add(String, fails: Bool) }
  struct State: Sendable, Equatable { var names: [String] = [] }

  override func createObservable(_ action: Action) -> Effect {
    guard case .add(let name, let fails) = action else { return .unchanged() }
    let (before, isFixed) = (currentState, isFixed)
    let request = Observable.task { [answer] in
      try await answer("favorite \(name)")
      if fails { throw Offline() }
      return true
    }.catchAndReturn(false)
    return .mutate { $0.names.append(name) }.concat(
      request.mutate { state, isStored in
        if isStored { return }
        if isFixed { state.names.removeAll { $0 == name } } else { state = before }
      })
  }
}

// Sendable: it stores only `let`s.
private final class NoteModel: RaceModel<NoteModel.Action, NoteModel.State>, @unchecked Sendable {
  enum Action: Sendable { case write(String) }
  struct State: Sendable, Equatable { var text = "" }

  let saved = Locked("")
  override func createObservable(_ action: Action) -> Effect {
    guard case .write(let text) = action else { return .unchanged() }
    return Observable<Void>.task { [answer, saved] in
      try await answer("saved \(text)")
      saved.mutate { $0 = text }
    }.mutate { state, _ in state.text = text }
  }

  override func executionMode(for action: Action) -> ExecutionMode { isFixed ? .sequence : .parallel }
}

// Sendable: it stores only `let`s.
private final class AccountModel: RaceModel<AccountModel.Action, AccountModel.State>, @unchecked Sendable {
  enum Action: Sendable { case loadOrders, loadInvoices }
  struct State: Sendable, Equatable { var loaded: [String] = [] }

  let refreshes = Locked(0)
  private let token = Locked<String?>(nil)
  /// Requests a new token. In the fixed form all requests that wait for it share one refresh.
  private let refresh: Observable<String>

  init(_ run: Exploration, _ isFixed: Bool) {
    let refresh = Observable.task { [token, refreshes] in
      try await run.answer("new token")
      refreshes.mutate { $0 += 1 }
      token.mutate { $0 = "secret" }
      return "secret"
    }
    self.refresh = isFixed ? refresh.share(replay: 1) : refresh
    super.init(State(), run, isFixed)
  }

  override func createObservable(_ action: Action) -> Effect {
    let (token, refresh, answer) = (token, refresh, answer)
    return Observable.deferred { token.value.map { .just($0) } ?? refresh }
      .flatMap { token in
        Observable.task {
          try await answer("\(action)")
          return "\(action) with \(token)"
        }
      }
      .mutate { $0.loaded.append($1) }
  }
}

// Sendable: it stores only `let`s.
private final class ChatModel: RaceModel<ChatModel.Action, ChatModel.State>, @unchecked Sendable {
  enum Action: Sendable { case send(String) }
  struct State: Sendable, Equatable { var sent: [String] = [] }

  /// The messages that the service has received.
  let received = Locked<[String]>([])
  private let keys = Locked<Set<String>>([])

  override func createObservable(_ action: Action) -> Effect {
    guard case .send(let text) = action else { return .unchanged() }
    return Observable.task { [self] in
      // The service ignores a message whose key it knows.
      if !isFixed || keys.mutate({ $0.insert(text).inserted }) { received.mutate { $0.append(text) } }
      try await answer("received \(text)")
      return text
    }
    .timeout(.seconds(5), scheduler: scheduler)
    .retry(2)
    .mutate { $0.sent.append($1) }
  }

  override func handleError(_ error: any Error, action: Action?) -> Bool { true }
}
