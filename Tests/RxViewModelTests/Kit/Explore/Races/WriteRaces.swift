import RxViewModel
import RxViewModelTesting

@testable import TestSupport

// Writes that are under way at the same time.

extension PlantedRace {
  static let writes = [
    PlantedRace("a double tap submits twice") { run, isMended in
      let model = CheckoutModel(run.answer, isMended, run.scheduler)
      model.execute(.pay)
      run.mayArrive()
      model.execute(.pay)
      run.allArrive()
      try run.expect(model.payments.value == 1)
    },
    PlantedRace("an update is lost") { run, isMended in
      let model = BasketModel(run.answer, isMended, run.scheduler)
      model.execute(.add)
      run.mayArrive()
      model.execute(.add)
      run.allArrive()
      try run.expect(model.currentState.count == 2)
    },
    PlantedRace("an optimistic value is not rolled back when two are in flight") { run, isMended in
      let (first, second) = (run.choose(false, true), run.choose(false, true))
      let model = FavoriteModel(run.answer, isMended, run.scheduler)
      model.execute(.add("a", fails: first))
      run.mayArrive()
      model.execute(.add("b", fails: second))
      run.allArrive()
      try run.expect(model.currentState.names == (first ? [] : ["a"]) + (second ? [] : ["b"]))
    },
    PlantedRace("texts are saved in another order than they were written") { run, isMended in
      let model = NoteModel(run.answer, isMended, run.scheduler)
      for text in ["a", "ab", "abc"] {
        model.execute(.write(text))
        run.mayArrive()
      }
      run.allArrive()
      try run.expect(model.saved.value == "abc")
    },
    PlantedRace("a token is refreshed twice") { run, isMended in
      let model = AccountModel(run.answer, isMended, run.scheduler)
      model.execute(.loadOrders)
      model.execute(.loadInvoices)
      run.allArrive()
      try run.expect(model.refreshes.value == 1 && model.currentState.loaded.count == 2)
    },
    PlantedRace("a retry duplicates a message") { run, isMended in
      let model = ChatModel(run.answer, isMended, run.scheduler)
      model.execute(.send("hello"))
      run.allArrive()
      try run.expect(model.received.value == ["hello"])
    },
  ]
}

// Sendable: it stores only `let`s.
private final class CheckoutModel: RxViewModel<CheckoutModel.Action, CheckoutModel.State>, @unchecked Sendable {
  enum Action: Sendable { case pay }
  struct State: Sendable, Equatable { var isPaid = false }

  let payments = Locked(0)
  private let answer: Answer
  private let isMended: Bool

  init(_ answer: @escaping Answer, _ isMended: Bool, _ scheduler: any Scheduler) {
    (self.answer, self.isMended) = (answer, isMended)
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> State { State() }

  override func createObservable(_ action: Action) -> Effect {
    if currentState.isPaid { return .unchanged() }
    return Observable<Void>.task { [answer, payments] in
      try await answer("payment")
      payments.mutate { $0 += 1 }
    }.mutate { state, _ in state.isPaid = true }
  }

  override func executionMode(for action: Action) -> ExecutionMode { isMended ? .dropWhileBusy : .parallel }
}

// Sendable: it stores only `let`s.
private final class BasketModel: RxViewModel<BasketModel.Action, BasketModel.State>, @unchecked Sendable {
  enum Action: Sendable { case add }
  struct State: Sendable, Equatable { var count = 0 }

  private let answer: Answer
  private let isMended: Bool

  init(_ answer: @escaping Answer, _ isMended: Bool, _ scheduler: any Scheduler) {
    (self.answer, self.isMended) = (answer, isMended)
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> State { State() }

  override func createObservable(_ action: Action) -> Effect {
    let (count, isMended) = (currentState.count, isMended)
    return .task { [answer] in try await answer("added") }
      .mutate { state, _ in state.count = (isMended ? state.count : count) + 1 }
  }
}

// Sendable: it stores only `let`s.
private final class FavoriteModel: RxViewModel<FavoriteModel.Action, FavoriteModel.State>, @unchecked Sendable {
  enum Action: Sendable { case add(String, fails: Bool) }
  struct State: Sendable, Equatable { var names: [String] = [] }

  private let answer: Answer
  private let isMended: Bool

  init(_ answer: @escaping Answer, _ isMended: Bool, _ scheduler: any Scheduler) {
    (self.answer, self.isMended) = (answer, isMended)
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> State { State() }

  override func createObservable(_ action: Action) -> Effect {
    guard case .add(let name, let fails) = action else { return .unchanged() }
    let (before, isMended) = (currentState, isMended)
    let request = Observable.task { [answer] in
      try await answer("favorite \(name)")
      if fails { throw Offline() }
      return true
    }.catchAndReturn(false)
    return .mutate { $0.names.append(name) }.concat(
      request.mutate { state, isStored in
        if isStored { return }
        if isMended { state.names.removeAll { $0 == name } } else { state = before }
      })
  }
}

// Sendable: it stores only `let`s.
private final class NoteModel: RxViewModel<NoteModel.Action, NoteModel.State>, @unchecked Sendable {
  enum Action: Sendable { case write(String) }
  struct State: Sendable, Equatable { var text = "" }

  let saved = Locked("")
  private let answer: Answer
  private let isMended: Bool

  init(_ answer: @escaping Answer, _ isMended: Bool, _ scheduler: any Scheduler) {
    (self.answer, self.isMended) = (answer, isMended)
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> State { State() }

  override func createObservable(_ action: Action) -> Effect {
    guard case .write(let text) = action else { return .unchanged() }
    return Observable<Void>.task { [answer, saved] in
      try await answer("saved \(text)")
      saved.mutate { $0 = text }
    }.mutate { state, _ in state.text = text }
  }

  override func executionMode(for action: Action) -> ExecutionMode { isMended ? .sequence : .parallel }
}

// Sendable: it stores only `let`s.
private final class AccountModel: RxViewModel<AccountModel.Action, AccountModel.State>, @unchecked Sendable {
  enum Action: Sendable { case loadOrders, loadInvoices }
  struct State: Sendable, Equatable { var loaded: [String] = [] }

  let refreshes = Locked(0)
  private let token = Locked<String?>(nil)
  private let answer: Answer
  private let isMended: Bool
  /// Requests a new token. In the mended form all requests that wait for it share one refresh.
  private let refresh: Observable<String>

  init(_ answer: @escaping Answer, _ isMended: Bool, _ scheduler: any Scheduler) {
    (self.answer, self.isMended) = (answer, isMended)
    let refresh = Observable.task { [token, refreshes] in
      try await answer("new token")
      refreshes.mutate { $0 += 1 }
      token.mutate { $0 = "secret" }
      return "secret"
    }
    self.refresh = isMended ? refresh.share(replay: 1) : refresh
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> State { State() }

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
private final class ChatModel: RxViewModel<ChatModel.Action, ChatModel.State>, @unchecked Sendable {
  enum Action: Sendable { case send(String) }
  struct State: Sendable, Equatable { var sent: [String] = [] }

  /// The messages that the service has received.
  let received = Locked<[String]>([])
  private let answer: Answer
  private let isMended: Bool
  private let keys = Locked<Set<String>>([])
  private let clock: any Scheduler

  init(_ answer: @escaping Answer, _ isMended: Bool, _ scheduler: any Scheduler) {
    (self.answer, self.isMended, clock) = (answer, isMended, scheduler)
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> State { State() }

  override func createObservable(_ action: Action) -> Effect {
    guard case .send(let text) = action else { return .unchanged() }
    return Observable.task { [self] in
      // The service ignores a message whose key it knows.
      if !isMended || keys.mutate({ $0.insert(text).inserted }) { received.mutate { $0.append(text) } }
      try await answer("received \(text)")
      return text
    }
    .timeout(.seconds(5), scheduler: clock)
    .retry(2)
    .mutate { $0.sent.append($1) }
  }

  override func handleError(_ error: any Error, action: Action?) -> Bool { true }
}
