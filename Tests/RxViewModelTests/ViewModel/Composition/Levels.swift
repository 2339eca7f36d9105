import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// A screen of three levels: a list (the view model), a detail in it, and a form in a sheet of the detail, beside an alert and tags.
enum Levels {
  struct Form: Sendable, Equatable, Identifiable {
    var id = 0
    var text = ""
  }

  struct Detail: Sendable, Equatable {
    enum Destination: Sendable, Equatable {
      case edit(Form)
      case alert(Form)
    }

    var text = ""
    var destination: Destination?
    var tags: [Form] = []
  }

  struct State: Sendable, Equatable {
    var text = ""
    var detail: Detail?
    var rows: [Form] = []
  }

  enum FormAction: Sendable, Equatable {
    case set(String)
    /// An action with the effect that the test has given it.
    case run(String)
  }

  enum DetailAction: Sendable, Equatable {
    case edit(FormAction)
    case alert(FormAction)
    case tag(Int, FormAction)
    case formDone(String)
    case show(Detail.Destination?)
    case run(String)
  }

  enum Action: Sendable, Equatable {
    case detail(DetailAction)
    case row(Int, FormAction)
    case detailDone(String)
    case rowDone(Int, String)
    case show(Detail?)
    case setRows([Form])
    case run(String)

    static func edit(_ action: FormAction) -> Action { .detail(.edit(action)) }
  }

  typealias FormContext = FeatureContext<FormFeature>
  typealias DetailContext = FeatureContext<DetailFeature>
  typealias FormEffect = Observable<StateMapper<Form>>
  typealias DetailEffect = Observable<StateMapper<Detail>>
  typealias Effect = Observable<StateMapper<State>>

  /// The decisions of a test. By default an action with a name changes nothing.
  struct Script: Sendable {
    var form: @Sendable (String, FormContext) -> FormEffect = { _, _ in .unchanged() }
    var detail: @Sendable (String, DetailContext) -> DetailEffect = { _, _ in .unchanged() }
    var screen: @Sendable (String, Screen) -> Effect = { _, _ in .unchanged() }
    var formMode = ExecutionMode.parallel
    var formError: @Sendable (any Error) -> StateMapper<Form>? = { _ in nil }
    var detailError: @Sendable (any Error) -> StateMapper<Detail>? = { _ in nil }
    var screenError: @Sendable (any Error) -> StateMapper<State>? = { _ in nil }
    var changeDetail: (@Sendable (inout Detail) throws -> Void)?
    var changeScreen: (@Sendable (inout State) throws -> Void)?
    /// The action that `as` makes of one of the form in the sheet.
    var embedEdit: @Sendable (FormAction) -> DetailAction = DetailAction.edit
    /// Called with each question that the view model asks, in order.
    var asked: @Sendable (String) -> Void = { _ in }
  }

  struct FormFeature: Feature {
    let script: Script

    func createObservable(_ action: FormAction, context: FeatureContext<Self>) -> FormEffect {
      script.asked("form createObservable")
      switch action {
      case .set(let text): return .mutate { $0.text = text }
      case .run(let name): return script.form(name, context)
      }
    }

    func executionMode(for action: FormAction) -> ExecutionMode {
      script.asked("form executionMode")
      return script.formMode
    }

    func showSpinner(_ action: FormAction) -> Bool {
      script.asked("form showSpinner")
      return true
    }

    func stateMapper(for error: any Error, action: FormAction) -> StateMapper<Form>? { script.formError(error) }

    typealias Output = String
  }

  struct DetailFeature: Feature {
    let script: Script

    func child(for action: DetailAction) -> ChildAction<DetailAction, Detail>? {
      script.asked("detail child")
      let form = FormFeature(script: script)
      let child: ChildAction<DetailAction, Detail>? =
        switch action {
        case .edit(let action):
          .init(
            form, action, at: \.destination.edit, as: script.embedEdit, output: DetailAction.formDone)
        case .alert(let action):
          .init(
            form, action, at: \.destination.alert, as: DetailAction.alert, output: DetailAction.formDone)
        case .tag(let id, let action):
          .init(form, action, at: \.tags, id: id, as: { .tag(id, $0) }, output: DetailAction.formDone)
        case .formDone, .show, .run: nil
        }
      guard let child, let change = script.changeDetail else { return child }
      return child.updating(change)
    }

    func createObservable(_ action: DetailAction, context: FeatureContext<Self>) -> DetailEffect {
      switch action {
      case .edit, .alert, .tag: .handledByChild()
      case .formDone(let text): .mutate { $0.text += "done \(text);" }
      case .show(let destination): .mutate { $0.destination = destination }
      case .run(let name): script.detail(name, context)
      }
    }

    func executionMode(for action: DetailAction) -> ExecutionMode {
      script.asked("detail executionMode")
      return .parallel
    }

    func stateMapper(for error: any Error, action: DetailAction) -> StateMapper<Detail>? { script.detailError(error) }

    typealias Output = String
  }

  final class Screen: RxViewModel<Action, State>, @unchecked Sendable {  // Sendable: its properties are `let`s.
    let diagnosed = Locked<[String]>([])
    private let script: Script

    init(
      _ state: State = State(), scheduler: any Scheduler = ImmediateScheduler(),
      _ change: (inout Script) -> Void = { _ in }
    ) {
      var script = Script()
      change(&script)
      self.script = script
      super.init(initialState: state, scheduler: scheduler)
    }

    override func child(for action: Action) -> ChildAction<Action, State>? {
      script.asked("child")
      let child: ChildAction<Action, State>? =
        switch action {
        case .detail(let action):
          .init(DetailFeature(script: script), action, at: \.detail, as: Action.detail, output: Action.detailDone)
        case .row(let id, let action):
          .init(
            FormFeature(script: script), action, at: \.rows, id: id, as: { .row(id, $0) }, output: { .rowDone(id, $0) })
        case .detailDone, .rowDone, .show, .setRows, .run: nil
        }
      guard let child, let change = script.changeScreen else { return child }
      return child.updating(change)
    }

    override func createObservable(_ action: Action) -> Effect {
      switch action {
      case .detail, .row: .handledByChild()
      case .detailDone(let text): .mutate { $0.text += "detail \(text);" }
      case .rowDone(let id, let text): .mutate { $0.text += "row \(id) \(text);" }
      case .show(let detail): .mutate { $0.detail = detail }
      case .setRows(let rows): .mutate { $0.rows = rows }
      case .run(let name): script.screen(name, self)
      }
    }

    override func executionMode(for action: Action) -> ExecutionMode {
      script.asked("executionMode")
      return .parallel
    }

    override func showSpinner(_ action: Action) -> Bool {
      script.asked("showSpinner")
      return false
    }

    override func stateMapper(for error: any Error, action: Action) -> StateMapper<State>? { script.screenError(error) }

    override func diagnose(_ diagnostic: ViewModelDiagnostic<Action>) {
      diagnosed.mutate { $0.append("\(diagnostic)") }
    }

    func expectDiagnosed(_ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) {
      #expect(diagnosed.value == expected, sourceLocation: sourceLocation)
    }
  }

  /// A list whose detail shows a form in a sheet.
  static func editing(_ text: String = "", id: Int = 0) -> State {
    State(detail: Detail(destination: .edit(Form(id: id, text: text))))
  }
}

extension Levels.Detail.Destination? {
  var edit: Levels.Form? {
    get { if case .edit(let form) = self { form } else { nil } }
    set { if let newValue { self = .edit(newValue) } }
  }

  var alert: Levels.Form? {
    get { if case .alert(let form) = self { form } else { nil } }
    set { if let newValue { self = .alert(newValue) } }
  }
}
