import RxViewModel
import Testing

@testable import TestSupport

/// Records the calls of its user code.
private final class Witness: RxViewModel<Step, [String]>, @unchecked Sendable {  // Sendable: it stores one `let`.
  let note: @Sendable (String) -> Void

  init(_ scheduler: any Scheduler, _ note: @escaping @Sendable (String) -> Void) {
    self.note = note
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> [String] { [] }

  override func createObservable(_ action: Step) -> Effect {
    note("createObservable \(action)")
    do { return try action.effect() } catch { return .error(error) }
  }

  override func executionMode(for action: Step) -> ExecutionMode {
    note("executionMode \(action)")
    return .parallel
  }

  override func showSpinner(_ action: Step) -> Bool {
    note("showSpinner \(action)")
    return true
  }

  override func handleError(_ error: any Error, action: Step?) -> Bool {
    note("handleError")
    return false
  }

  override func onResume(_ scope: DisposeBag) { note("onResume") }
}

// contract 2.9, 2.11: the view model is handling cancellations when another thread's `clear` returns. It calls nothing more for them, and
// reports nothing: the streams only complete, and loading becomes false before that.
@Suite(.ownThread) struct ClearDuringCancellationTests {
  /// Records the calls of user code, and separately those after `clear`. During one of the calls another thread calls `clear`.
  private final class Calls: Sendable {
    private struct State {
      var viewModel: Witness?
      var place: String?
      var isCleared = false
      var late: [String] = []
    }

    private let state = Locked(State())
    private let bag = DisposeBag()

    /// The calls after `clear` had returned.
    var late: [String] { state.value.late }
    var isCleared: Bool { state.value.isCleared }

    /// Makes a view model whose calls of user code it records.
    func viewModel(_ scheduler: any Scheduler) -> Witness {
      let witness = Witness(scheduler) { [self] in note($0) }
      witness.stateObservable.subscribe(onNext: { [self] _ in note("state") }).disposed(by: bag)
      witness.isLoadingObservable.subscribe(onNext: { [self] in if $0 { note("loading") } }).disposed(by: bag)
      witness.errorObservable.subscribe(onNext: { [self] _ in note("error") }).disposed(by: bag)
      witness.actionAndErrorObservable.subscribe(onNext: { [self] _ in note("failure") }).disposed(by: bag)
      witness.executionObservable.subscribe(onNext: { [self] in note("\($0.phase) \($0.action)") }).disposed(by: bag)
      state.mutate { $0.viewModel = witness }
      return witness
    }

    /// Another thread clears the view model at the first call of this name.
    func clear(at place: String) {
      state.mutate { $0.place = place }
    }

    func note(_ call: String) {
      let cleared = state.mutate { state -> Witness? in
        if state.isCleared { state.late.append(call) }
        guard state.place == call else { return nil }
        state.place = nil
        return state.viewModel.take()
      }
      guard let cleared else { return }
      #expect(onOtherThread { cleared.clear() })
      state.mutate { $0.isCleared = true }
    }

    func step(_ name: String) -> Step {
      Step(name) { [self] in .create { _ in Disposables.create { self.note("dispose \(name)") } } }
    }

    func predicate(_ name: String) -> @Sendable (Step) -> Bool {
      { [self] action in
        note("\(name) \(action)")
        return !action.name.hasPrefix("other")
      }
    }
  }

  /// The user code that runs when the other thread clears the view model. The actions "a", "b", "other 1" and "other 2" run, "waiting"
  /// waits in a lane, and "queued" waits for its turn. Two requests match all actions but "other 1" and "other 2".
  enum Place: String, CaseIterable {
    case dispose = "dispose a"
    case cancelled = "cancelled a"
    case cancelledLater = "cancelled b"
    case executionMode = "executionMode queued"
    case cancelledInTheQueue = "cancelled queued"
  }

  @Test(arguments: Place.allCases)
  func nothingMoreIsCalledForTheCancellations(place: Place) {
    let (scheduler, calls) = (HandScheduler(), Calls())
    let witness = calls.viewModel(scheduler)
    witness.execute(calls.step("a"))
    witness.execute(calls.step("b"), mode: .sequence)
    witness.execute(calls.step("waiting"), mode: .sequence)
    witness.execute(calls.step("other 1"))
    witness.execute(calls.step("other 2"))
    scheduler.run()
    witness.execute(calls.step("queued"))
    witness.cancelActions(where: calls.predicate("first"))
    witness.cancelActions(where: calls.predicate("second"))
    calls.clear(at: place.rawValue)
    scheduler.run()
    #expect(calls.isCleared)
    #expect(calls.late == [])
  }

  // The effect fails while the view model subscribes to it. At the end of the action the view model disposes its other source.
  @Test func anActionThatFailsIsNotReported() {
    let (scheduler, calls) = (HandScheduler(), Calls())
    let witness = calls.viewModel(scheduler)
    calls.clear(at: "dispose")
    witness.execute(
      Step("a") {
        .merge([.create { _ in Disposables.create { calls.note("dispose") } }, .error(TestError())])
      })
    scheduler.run()
    #expect(calls.isCleared)
    #expect(calls.late == [])
  }

  // An error of a stream of actions, a resume and an action wait after the request.
  @Test(arguments: ["dispose a", "cancelled a"])
  func inputsAfterTheRequestAreNotHandled(place: String) {
    let (scheduler, calls, bag) = (HandScheduler(), Calls(), DisposeBag())
    let witness = calls.viewModel(scheduler)
    witness.execute(calls.step("a"))
    scheduler.run()
    witness.cancelActions { $0.name == "a" }
    Observable<Step>.error(TestError()).execute(on: witness).disposed(by: bag)
    witness.didResume()
    witness.execute(calls.step("b"))
    calls.clear(at: place)
    scheduler.run()
    #expect(calls.isCleared)
    #expect(calls.late == [])
    bag.dispose()
  }
}
