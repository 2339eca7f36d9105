import RxViewModel
import RxViewModelTesting
import Testing

/// A feature decides by its state whether an action shows the spinner.
// contract 2.5, 2.19
struct SpinnerContextTests {
  private struct Form: Feature {
    enum Action: Sendable, Equatable {
      case type(String)
      case save
    }
    enum Output: Sendable, Equatable { case asked }
    struct State: Sendable, Equatable { var text = "" }

    func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
      switch action {
      case .type(let text): .mutate { $0.text = text }
      case .save: .empty()
      }
    }

    func showSpinner(_ action: Action, context: FeatureContext<Self>) -> Bool {
      // The action has not started, so these do nothing.
      context.execute(.type("executed"))
      context.output(.asked)
      context.cancel { _ in true }
      return action == .save && !context.state.text.isEmpty
    }
  }

  private struct Screen: Feature {
    enum Action: Sendable, Equatable {
      case form(Form.Action)
      case formDone(Form.Output)
      case close
    }
    struct State: Sendable, Equatable { var form: Form.State? = Form.State() }

    func child(for action: Action) -> ChildAction<Action, State>? {
      guard case .form(let action) = action else { return nil }
      return .init(Form(), action, at: \.form, as: Action.form, output: Action.formDone)
    }

    func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
      action == .close ? .mutate { $0.form = nil } : .empty()
    }
  }

  private let scheduler = TestScheduler()

  @Test func theStateOfTheFeatureDecides() {
    let form = FeatureViewModel(Form(), initialState: Form.State(), scheduler: scheduler)
    let (isLoading, outputs) = (form.isLoadingObservable.test(scheduler), form.outputs.test(scheduler))
    for action: Form.Action in [.save, .type("a"), .save] {
      form.execute(action)
      scheduler.run()
    }
    #expect(isLoading.values == [false, true, false])
    #expect(form.currentState.text == "a" && outputs.values.isEmpty)
  }

  @Test func theStateOfTheChildDecides() {
    let screen = FeatureViewModel(Screen(), initialState: Screen.State(), scheduler: scheduler) { _ in }
    let isLoading = screen.isLoadingObservable.test(scheduler)
    for action: Screen.Action in [.form(.save), .form(.type("a")), .form(.save), .close, .form(.save)] {
      screen.execute(action)
      scheduler.run()
    }
    #expect(isLoading.values == [false, true, false])
  }
}
