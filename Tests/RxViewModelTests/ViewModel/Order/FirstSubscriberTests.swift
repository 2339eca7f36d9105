import RxViewModel
import Testing

@testable import TestSupport

// contract 2.5, 2.7: the first subscriber of a stream, which user code makes during the view model's own work, receives all that follows
@Suite struct FirstSubscriberTests {
  private typealias Model = ClosureViewModel<String, Int>
  private struct Part: Feature {
    func createObservable(_ action: String, context: FeatureContext<Self>) -> Observable<StateMapper<Int>> { .never() }
  }

  private let steps = Locked<[String]>([])
  private let bag = DisposeBag()

  private func model(
    _ effect: @escaping @Sendable () -> Observable<StateMapper<Int>> = { .never() },
    overrides: (inout Model.Overrides) -> Void = { _ in }
  ) -> Model {
    Model(0, scheduler: ImmediateScheduler(), effect: { _, _ in effect() }, overrides: overrides)
  }

  @Sendable private func subscribe(to model: Model) {
    model.executionObservable.subscribe(onNext: { [steps] execution in steps.mutate { $0.append(execution.step) } })
      .disposed(by: bag)
  }

  @Test func inAChangeOfLoading() {
    let model = model({ .unchanged() }, overrides: { $0.spins = { _, _ in true } })
    model.isLoadingObservable.subscribe(onNext: { [unowned model] in if $0 { subscribe(to: model) } }).disposed(by: bag)
    model.execute("a")
    #expect(steps.value == ["a started", "a emitted", "a completed"])
  }

  // contract 2.19
  @Test func inADiagnosis() {
    let model = model(overrides: {
      $0.child = { _, action in ChildAction(Part(), action, at: \.absent, as: { $0 }) }
      $0.diagnose = { model, _ in subscribe(to: model) }
    })
    model.execute("a")
    #expect(steps.value == ["a dropped"])
  }

  @Test func inShowSpinner() {
    let model = model(overrides: {
      $0.mode = { _, _ in .dropWhileBusy }
      $0.spins = { model, action in
        if action == "b" { subscribe(to: model) }
        return false
      }
    })
    model.execute("a")
    model.execute("b")
    #expect(steps.value == ["b dropped"])
  }

  // contract 2.11
  @Test func inAPredicate() {
    let model = model(overrides: { $0.mode = { _, _ in .sequence } })
    model.execute("a")
    model.execute("b")
    model.cancelActions { [unowned model] action in
      if action == "b" { subscribe(to: model) }
      return action == "b"
    }
    #expect(steps.value == ["b cancelled"])
  }

  // Both subscriptions exist before the next emission is due.
  @Test func onAnotherThreadDuringAState() {
    let (model, pairs) = (model { .just { $0 + 1 } }, Locked<[Int]>([]))
    model.stateObservable.filter { $0 == 1 }.subscribe(onNext: { [unowned model] _ in
      onOtherThread {
        model.actionAndStateObservable.subscribe(onNext: { pair in pairs.mutate { $0.append(pair.state) } })
          .disposed(by: bag)
        subscribe(to: model)
      }
    }).disposed(by: bag)
    model.execute("a")
    #expect(pairs.value == [1])
    #expect(steps.value == ["a emitted", "a completed"])
  }

  // contract 2.6
  @Test func ofOneErrorStreamInACallbackOfTheOther() {
    let (model, pairs) = (model { .error(TestError("oops")) }, Locked<[String]>([]))
    model.errorObservable.take(1).subscribe(onNext: { [unowned model] _ in
      model.actionAndErrorObservable.subscribe(onNext: { pair in pairs.mutate { $0.append("\(pair.error)") } })
        .disposed(by: bag)
    }).disposed(by: bag)
    model.execute("a")
    #expect(pairs.value == ["oops"])
  }
}

extension Int {
  fileprivate var absent: Int? {
    get { nil }
    set {}
  }
}
