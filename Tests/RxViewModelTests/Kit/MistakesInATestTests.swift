import RxViewModel
import Testing

@testable import RxViewModelTesting
@testable import TestSupport

/// Makes the mistakes of ``MistakesInATestTests``: its actions are their names.
private struct Draft: Feature {
  enum Action: Sendable {
    case saveAndTell
    case saveOnAnotherScheduler
    case followARetainedViewModel
  }

  typealias Output = Int

  /// The scheduler that the mistake uses. The test does not advance it.
  let otherScheduler = TestScheduler()
  /// The view model that the mistake retains.
  let retained = Locked<AnyObject?>(nil)

  func createObservable(_ action: Action, context: FeatureContext<Draft>) -> Observable<StateMapper<Int>> {
    let save = Observable<Int>.timer(.seconds(1), scheduler: context.scheduler).mutate { state, _ in state += 1 }
    switch action {
    case .saveAndTell:
      // The output is sent here, before `save` begins.
      return save.concat(context.output(1))
    case .saveOnAnotherScheduler:
      return Observable<Int>.timer(.seconds(1), scheduler: otherScheduler).mutate { state, _ in state += 1 }
    case .followARetainedViewModel:
      return Observable.never().do(onDispose: { [retained] in withExtendedLifetime(retained) {} })
    }
  }
}

// contract 4.2, 4.7
@Suite("A TestStore fails for a mistake that the compiler allows") struct MistakesInATestTests {
  private let scheduler = TestScheduler()
  private let draft = Draft()
  private let viewModel: FeatureViewModel<Draft>
  private let store: TestStore<Draft.Action, Int>

  init() throws {
    viewModel = FeatureViewModel(draft, initialState: 0, scheduler: scheduler)
    store = try TestStore(viewModel)
  }

  @Test func anOutputThatConcatDoesNotHoldBack() throws {
    let outputs = store.record(viewModel.outputs)
    try store.send(.saveAndTell)
    let failure = #expect(throws: TestFailure.self) { try store.advance(by: .seconds(1)) { $0 = 1 } }
    #expect(failure?.description.contains("1 of the stream of") == true)
    try store.expect(outputs, 1)
    try store.advance(by: .seconds(1)) { $0 = 1 }
    try store.finish()
  }

  @Test func aTimerOnAnotherScheduler() throws {
    try store.send(.saveOnAnotherScheduler)
    #expect(throws: TestFailure.self) { try store.advance(by: .seconds(1)) { $0 = 1 } }
    let failure = #expect(throws: TestFailure.self) { try store.finish() }
    #expect(failure?.description.contains("saveOnAnotherScheduler parallel: running since") == true)
    viewModel.cancelActions { _ in true }
  }

  @Test func anEndlessEffectThatRetainsItsViewModel() throws {
    draft.retained.mutate { $0 = viewModel }
    defer { draft.retained.mutate { $0 = nil } }
    try store.send(.followARetainedViewModel)
    let failure = #expect(throws: TestFailure.self) { try store.finish() }
    #expect(failure?.description.contains("followARetainedViewModel parallel: running since") == true)
    viewModel.cancelActions { _ in true }
  }
}
