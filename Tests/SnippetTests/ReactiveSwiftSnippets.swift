// The code of the article *Coming from ReactiveSwift*, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

enum ResetAction: Sendable, Equatable {
  case setEmail(String)
  case send
}

struct ResetState: Sendable, Equatable {
  var email = ""
  var sentTo: String?

  var isSendEnabled: Bool { email.contains("@") }
}

final class ResetViewModel: RxViewModel<ResetAction, ResetState>, @unchecked Sendable {
  private let reset: @Sendable (String) async throws -> Void

  init(scheduler: (any Scheduler)? = nil, reset: @escaping @Sendable (String) async throws -> Void) {
    self.reset = reset
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> ResetState { ResetState() }

  override func createObservable(_ action: ResetAction) -> Effect {
    let (reset, email) = (reset, currentState.email)
    return switch action {
    case .setEmail(let email): .mutate { $0.email = email }
    case .send: Observable.task { try await reset(email) }.mutate { state, _ in state.sentTo = email }
    }
  }

  override func executionMode(for action: ResetAction) -> ExecutionMode {
    action == .send ? .dropWhileBusy : .parallel
  }

  override func showSpinner(_ action: ResetAction) -> Bool { action == .send }
}

struct ResetInputs {
  let email = MutableProperty("")
  let send = PublishSubject<Void>()
}

struct ResetOutputs {
  let isSendEnabled: Observable<Bool>
  let isLoading: Observable<Bool>
  let sentTo: Observable<String>
  let message: Observable<String>
}

func resetOutputs(_ inputs: ResetInputs, reset: @escaping @Sendable (String) async throws -> Void) -> ResetOutputs {
  let email = inputs.email
  let requests = email.takeWhen(inputs.send).flatMapLatest { email in
    Observable.task { try await reset(email) }.map { email }.materialize().map(Optional.some).startWith(nil)
  }
  // One request for the three outputs below.
  .share()
  let events = requests.compactMap { $0 }
  return ResetOutputs(
    isSendEnabled: email.map { $0.contains("@") }.distinctUntilChanged(),
    isLoading: requests.map { $0 == nil }.distinctUntilChanged(),
    sentTo: events.compactMap { if case .next(let email) = $0 { email } else { nil } },
    message: events.compactMap { if case .error(let error) = $0 { "\(error)" } else { nil } })
}

@Suite("The article for those who come from ReactiveSwift") struct ReactiveSwiftSnippets {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theClass() throws {
    let scheduler = TestScheduler()
    let model = ResetViewModel(scheduler: scheduler) { _ in }
    try withTestStore(model) { store in
      try store.send(.setEmail("a@b")) { $0.email = "a@b" }
      try store.send(.send) { $0.sentTo = "a@b" }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theFunctionSendsOneRequest() {
    let scheduler = TestScheduler()
    let inputs = ResetInputs()
    let requests = MutableProperty(0)
    let outputs = resetOutputs(inputs) { _ in requests.update { $0 += 1 } }
    let loading = outputs.isLoading.test(scheduler)
    let sent = outputs.sentTo.test(scheduler)
    let messages = outputs.message.test(scheduler)
    inputs.email.value = "a@b"
    scheduler.schedule { inputs.send.onNext(()) }
    scheduler.run()
    #expect(requests.value == 1)
    #expect(loading.values == [true, false])
    #expect(sent.values == ["a@b"])
    #expect(messages.values.isEmpty)
  }

  // contract 1.5
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func withoutAShareEachSubscriberSendsARequest() {
    let scheduler = TestScheduler()
    let requests = MutableProperty(0)
    let answer = Observable.task { requests.update { $0 += 1 } }
    let unshared = [answer.test(scheduler), answer.test(scheduler), answer.test(scheduler)]
    scheduler.run()
    #expect(requests.value == 3 && unshared.count == 3)
  }

  @Test func aPropertyDropsEqualValues() {
    let name = MutableProperty("ann")
    let names = name.test()
    name.value = "ann"
    #expect(names.values == ["ann"])
  }
}
