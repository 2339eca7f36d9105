import RxViewModel
import RxViewModelTesting

@testable import TestSupport

// Requests and timers that the user, a cancellation or the end of the screen overtakes.

extension PlantedRace {
  static let lifetimes = [
    PlantedRace("a cancelled refresh leaves the spinner on") { run, isFixed in
      let model = FeedModel(.init(), run, isFixed)
      model.execute(.refresh)
      run.mayArrive()
      model.execute(.stop)
      run.allArrive()
      try run.expect(!model.currentState.isBusy)
    },
    PlantedRace("a cancelled request still navigates") { run, isFixed in
      let screens = TestNavigator<String>(scheduler: run.scheduler)
      let model = OpeningModel(screens.navigator, run, isFixed)
      model.execute(.open(1))
      run.mayArrive()
      let before = screens.routes
      model.execute(.cancel)
      run.allArrive()
      try run.expect(screens.routes == before)
      withExtendedLifetime(model) {}
    },
    PlantedRace("an event is shown twice") { run, isFixed in
      let model = InboxModel(.init(), run, isFixed)
      model.execute(.poll)
      run.mayArrive()
      model.execute(.poll)
      run.allArrive()
      try run.expect(model.currentState.shown == [1, 2])
    },
    PlantedRace("an undo comes after the commit") { run, isFixed in
      let model = MailModel(.init(), run, isFixed)
      model.execute(.delete)
      run.mayArrive()
      model.execute(.undo)
      run.allArrive()
      try run.expect(model.currentState.isShown != model.isDeleted.value)
    },
    PlantedRace("a timer outlives its screen") { run, isFixed in
      let quotes = QuotePoller(run.answer, isFixed, run.scheduler)
      quotes.start()
      run.mayArrive()
      let before = quotes.requests.value
      quotes.stop()
      run.allArrive()
      try run.expect(quotes.requests.value == before)
    },
    PlantedRace("a late answer signs the user in again") { run, isFixed in
      let model = SessionModel(.init(), run, isFixed)
      model.execute(.signIn("Ada"))
      run.mayArrive()
      model.execute(.signOut)
      run.allArrive()
      try run.expect(model.currentState.user == nil)
    },
  ]
}

// Sendable: it stores only `let`s.
private final class FeedModel: RaceModel<FeedModel.Action, FeedModel.State>, @unchecked Sendable {
  enum Action: Sendable { case refresh, stop }
  struct State: Sendable, Equatable {
    var isBusy = false
    var items: [String] = []
  }

  override func createObservable(_ action: Action) -> Effect {
    let (answer, isFixed) = (answer, isFixed)
    switch action {
    case .refresh:
      return .mutate { $0.isBusy = true }.concat(
        .task { try await answer("feed") }.mutate { state, _ in state = State(items: ["news"]) })
    case .stop:
      cancelActions { $0 == .refresh }
      return .mutate { if isFixed { $0.isBusy = false } }
    }
  }
}

// Sendable: it stores only `let`s.
private final class OpeningModel: RaceModel<OpeningModel.Action, OpeningModel.State>, @unchecked Sendable {
  enum Action: Sendable, Equatable {
    case open(Int)
    case cancel
  }
  struct State: Sendable, Equatable {}

  private let navigator: Navigator<String>

  init(_ navigator: Navigator<String>, _ run: Exploration, _ isFixed: Bool) {
    self.navigator = navigator
    super.init(State(), run, isFixed)
  }

  override func createObservable(_ action: Action) -> Effect {
    guard case .open(let id) = action else {
      cancelActions { $0 != .cancel }
      return .unchanged()
    }
    return Observable<Void>.task { [answer, isFixed, navigator] in
      do {
        try await answer("document \(id)")
        navigator.navigate("document \(id)")
      } catch {
        // A cancellation is an error too.
        if isFixed && error is CancellationError { throw error }
        navigator.navigate("could not be opened")
      }
    }.mutate { _, _ in }
  }
}

// Sendable: it stores only `let`s.
private final class InboxModel: RaceModel<InboxModel.Action, InboxModel.State>, @unchecked Sendable {
  enum Action: Sendable { case poll }
  struct State: Sendable, Equatable { var shown: [Int] = [] }

  override func createObservable(_ action: Action) -> Effect {
    let (known, isFixed) = (currentState.shown, isFixed)
    return .task { [answer] in
      try await answer("messages")
      return [1, 2]
    }.mutate { state, messages in
      let known = isFixed ? state.shown : known
      state.shown += messages.filter { !known.contains($0) }
    }
  }
}

// Sendable: it stores only `let`s.
private final class MailModel: RaceModel<MailModel.Action, MailModel.State>, @unchecked Sendable {
  enum Action: Sendable { case delete, undo }
  struct State: Sendable, Equatable {
    var isShown = true
    var isCommitting = false
  }

  /// Whether the service has deleted the mail.
  let isDeleted = Locked(false)
  override func createObservable(_ action: Action) -> Effect {
    let (answer, isDeleted, scheduler) = (answer, isDeleted, scheduler)
    switch action {
    case .delete:
      let commit = Observable.task {
        isDeleted.mutate { $0 = true }
        try await answer("deleted")
      }
      return .mutate { $0.isShown = false }
        .concat(Observable.timer(.seconds(5), scheduler: scheduler).mutate { state, _ in state.isCommitting = true })
        .concat(commit.mutate { state, _ in state.isShown = false })
    case .undo:
      if isFixed && currentState.isCommitting { return .unchanged() }
      cancelActions { $0 == .delete }
      return .mutate { $0.isShown = true }
    }
  }
}

/// Requests a quote, and another one a second after each answer.
private final class QuotePoller: @unchecked Sendable {  // Sendable: it stores only `let`s.
  let requests = Locked(0)
  private let answer: Answer
  private let isFixed: Bool
  private let scheduler: any Scheduler
  private let timer = SerialDisposable()
  private let request = SerialDisposable()

  init(_ answer: @escaping Answer, _ isFixed: Bool, _ scheduler: any Scheduler) {
    (self.answer, self.isFixed, self.scheduler) = (answer, isFixed, scheduler)
  }

  func start() {
    // Three requests are enough: without a limit the run would not end.
    if requests.mutate({
      $0 += 1
      return $0
    }) > 3 {
      return
    }
    request.replace(
      with: Observable.task { [answer] in try await answer("quote") }
        .subscribe(onNext: { [self] in
          timer.replace(with: scheduler.schedule(after: .seconds(1)) { [self] in start() })
        }))
  }

  func stop() {
    timer.replace(with: Disposables.create())
    if isFixed { request.dispose() }
  }
}

// Sendable: it stores only `let`s.
private final class SessionModel: RaceModel<SessionModel.Action, SessionModel.State>, @unchecked Sendable {
  enum Action: Sendable {
    case signIn(String)
    case signOut
  }
  struct State: Sendable, Equatable { var user: String? }

  override func createObservable(_ action: Action) -> Effect {
    switch action {
    case .signIn(let name):
      return .task { [answer] in
        try await answer("welcome")
        return name
      }.mutate { $0.user = $1 }
    case .signOut:
      return .mutate { $0.user = nil }
    }
  }

  override func executionMode(for action: Action) -> ExecutionMode { isFixed ? .switchLatest("session") : .parallel }
}
