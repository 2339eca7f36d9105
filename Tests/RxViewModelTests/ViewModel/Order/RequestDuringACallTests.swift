import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// A request that another thread makes while the view model is inside a call of user code counts for what follows that call. So does a
/// subscription that the call makes.
@Suite(.ownThread) struct RequestDuringACallTests {
  private struct Part: Feature {
    struct State: Sendable, Equatable {}
    var onError: @Sendable () -> Void = {}
    var onMode: @Sendable () -> Void = {}

    func createObservable(_ action: String, context: FeatureContext<Self>) -> Effect {
      .error(Failed())
    }

    func executionMode(for action: String) -> ExecutionMode {
      onMode()
      return .parallel
    }

    func stateMapper(for error: any Error, action: String) -> StateMapper<State>? {
      onError()
      return nil
    }
  }

  /// A feature between the view model and a part. It counts as asked for an error when it calls `onError`.
  private struct Outer: Feature {
    let part: Part
    let onError: @Sendable () -> Void

    init(_ part: Part, onError: @escaping @Sendable () -> Void) { (self.part, self.onError) = (part, onError) }

    func child(for action: String) -> ChildAction<String, Part.State>? {
      ChildAction(part, action, at: \.self, as: { $0 })
    }

    func createObservable(_ action: String, context: FeatureContext<Self>) -> Observable<StateMapper<Part.State>> {
      .handledByChild()
    }

    func stateMapper(for error: any Error, action: String) -> StateMapper<Part.State>? {
      onError()
      return nil
    }
  }

  /// The whole screen, in which the part is absent.
  private struct Absent: Feature {
    let part: Part
    let onIdentity: @Sendable () -> Void

    init(_ part: Part, onIdentity: @escaping @Sendable () -> Void) { (self.part, self.onIdentity) = (part, onIdentity) }

    func child(for action: String) -> ChildAction<String, Screen>? {
      ChildAction(part, action, at: \.absent, as: { $0 })
    }

    func createObservable(_ action: String, context: FeatureContext<Self>) -> Observable<StateMapper<Screen>> {
      .handledByChild()
    }

    func identity(of state: Screen) -> AnyHashable? {
      onIdentity()
      return nil
    }
  }

  private struct Failed: Error {}

  private struct Screen: Sendable, Equatable {
    var part = Part.State()
    var absent: Part.State?
  }

  // Sendable: the test sets the variables before the first action.
  private final class Model: RxViewModel<String, Screen>, @unchecked Sendable {
    // Set before the first action.
    var child: (Model, String) -> ChildAction<String, Screen>? = { _, _ in nil }
    var mode: (Model, String) -> ExecutionMode = { _, _ in .parallel }
    var spinner: (Model, String) -> Bool = { _, _ in false }
    var effect: (Model, String) -> Effect = { _, _ in .never() }
    var diagnosis: (Model, ViewModelDiagnostic<String>) -> Void = { _, _ in }
    let calls = Locked<[String]>([])
    let phases = Locked<[String]>([])
    private let bag = DisposeBag()

    override func createInitialState() -> Screen { Screen() }
    override func child(for action: String) -> ChildAction<String, Screen>? { child(self, action) }
    override func executionMode(for action: String) -> ExecutionMode {
      calls.mutate { $0.append("mode of \(action)") }
      return mode(self, action)
    }
    override func showSpinner(_ action: String) -> Bool { spinner(self, action) }
    override func createObservable(_ action: String) -> Effect {
      calls.mutate { $0.append("effect of \(action)") }
      return effect(self, action)
    }
    override func stateMapper(for error: any Error, action: String) -> StateMapper<Screen>? {
      calls.mutate { $0.append("error of \(action)") }
      return nil
    }
    override func handleError(_ error: any Error, action: String?) -> Bool { true }
    override func diagnose(_ diagnostic: ViewModelDiagnostic<String>) { diagnosis(self, diagnostic) }

    func record() {
      executionObservable.subscribe { [phases] execution in
        let phase = "\(execution.phase)".prefix { $0.isLetter }
        phases.mutate { $0.append("\(execution.action) \(phase)") }
      }.disposed(by: bag)
    }
  }

  private func makeModel() -> Model { Model(scheduler: ImmediateScheduler()) }

  // contract 2.6, 2.11
  @Test func noMapperIsFoldedForTheErrorOfAnActionThatTheMapperOfItsChildCancels() {
    let model = makeModel()
    model.record()
    model.child = { model, action in
      ChildAction(
        Part { [unowned model] in onOtherThread { model.cancelActions { _ in true } } }, action, at: \.part, as: { $0 })
    }
    model.execute("a")
    #expect(model.phases.value == ["a started", "a cancelled"])
  }

  // contract 2.7, 2.19
  @Test func eachLevelIsAskedOnceForAnErrorIfTheLevelBelowCancelsAnotherAction() {
    let model = makeModel()
    model.record()
    model.child = { model, action in
      if action != "a" { return nil }
      let outer = Outer(Part { [unowned model] in onOtherThread { model.cancelActions { $0 == "other" } } }) {
        [calls = model.calls] in calls.mutate { $0.append("error in between") }
      }
      return ChildAction(outer, action, at: \.part, as: { $0 })
    }
    model.execute("other")
    model.calls.mutate { $0 = [] }
    model.execute("a")
    #expect(model.phases.value == ["other started", "a started", "a failed", "other cancelled"])
    #expect(model.calls.value == ["error in between", "error of a"])
  }

  // contract 2.11
  @Test(arguments: [ExecutionMode.switchLatest, .dropWhileBusy])
  func anActionCancelledInShowSpinnerOnlyEmitsCancelled(mode: ExecutionMode) {
    let model = makeModel()
    model.record()
    model.mode = { _, _ in mode }
    model.spinner = { model, action in
      if action == "b" { onOtherThread { [model] in model.cancelActions { $0 == "b" } } }
      return false
    }
    model.execute("a")
    model.execute("b")
    #expect(model.phases.value == ["a started", "b cancelled"])
  }

  // contract 2.5, 2.7
  @Test func theFirstSubscriberInALoadingChangeSeesTheStart() {
    let model = makeModel()
    model.spinner = { _, _ in true }
    model.effect = { _, _ in .unchanged() }
    let bag = DisposeBag()
    model.isLoadingObservable.subscribe { [unowned model] in if $0 { model.record() } }.disposed(by: bag)
    model.execute("a")
    #expect(model.phases.value == ["a started", "a emitted", "a completed"])
  }

  // contract 2.5, 2.19
  @Test func theFirstSubscriberInADiagnosisSeesTheEnd() {
    let model = makeModel()
    model.child = { _, action in ChildAction(Part(), action, at: \.absent, as: { $0 }) }
    model.diagnosis = { model, _ in model.record() }
    model.execute("a")
    #expect(model.phases.value == ["a dropped"])
  }

  // contract 2.5
  @Test func theFirstSubscriberInShowSpinnerSeesTheDrop() {
    let model = makeModel()
    model.mode = { _, _ in .dropWhileBusy }
    model.spinner = { model, action in
      if action == "b" { model.record() }
      return false
    }
    model.execute("a")
    model.execute("b")
    #expect(model.phases.value == ["b dropped"])
  }

  // contract 2.5, 2.11
  @Test func theFirstSubscriberInAPredicateSeesTheCancellation() {
    let model = makeModel()
    model.mode = { _, _ in .sequence }
    model.execute("a")
    model.execute("b")
    model.cancelActions { [unowned model] action in
      if action == "b" { model.record() }
      return action == "b"
    }
    #expect(model.phases.value == ["b cancelled"])
  }
}
