import RxViewModel
import RxViewModelTesting

@testable import TestSupport

/// A child's state.
struct Form: Sendable, Equatable, Identifiable {
  var id = 0
  var name = ""
  var saved = 0
}

enum FormAction: Sendable, Equatable {
  case setName(String)
  case save
  case setID(Int)
}

/// A feature whose `.save` waits for `answer`.
struct FormFeature: Feature {
  var answer: Observable<Int> = .never()
  var mode = ExecutionMode.parallel
  var hasSpinner = true

  func createObservable(_ action: FormAction, context: FeatureContext<Self>) -> Observable<StateMapper<Form>> {
    switch action {
    case .setName(let name): .mutate { $0.name = name }
    case .save: answer.mutate { $0.saved = $1 }
    case .setID(let id): .mutate { $0.id = id }
    }
  }

  func executionMode(for action: FormAction) -> ExecutionMode { action == .save ? mode : .parallel }

  func showSpinner(_ action: FormAction) -> Bool { hasSpinner && action == .save }

  // The id of a sheet's form may change.
  func identity(of state: Form) -> AnyHashable? { nil }
}

struct ParentState: Sendable, Equatable {
  var fixed = Form()
  var sheet: Form?
  var rows: [Form] = []
  var note = ""
}

enum ParentAction: Sendable, Equatable {
  case fixed(FormAction)
  case sheet(FormAction)
  case row(Int, FormAction)
  case show(Form?)
  case setRows([Form])
  /// An action with an effect that the test chooses.
  case other(String)
}

/// A screen that has the same feature in three parts.
// Sendable: its properties are `let`s.
final class ParentViewModel: RxViewModel<ParentAction, ParentState>, @unchecked Sendable {
  let feature: FormFeature
  let diagnosed = Locked<[String]>([])
  private let other: @Sendable (String) -> Effect

  /// - Parameter other: The effect of `.other`.
  init(
    _ feature: FormFeature = FormFeature(), scheduler: any Scheduler = ImmediateScheduler(),
    other: @escaping @Sendable (String) -> Effect = { note in .mutate { $0.note = note } }
  ) {
    (self.feature, self.other) = (feature, other)
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> ParentState { ParentState() }

  override func child(for action: ParentAction) -> ChildAction<ParentAction, ParentState>? {
    switch action {
    case .fixed(let action): .init(feature, action, at: \.fixed, as: ParentAction.fixed)
    case .sheet(let action): .init(feature, action, at: \.sheet, as: ParentAction.sheet)
    case .row(let id, let action): .init(feature, action, at: \.rows, id: id, as: { .row(id, $0) })
    case .show, .setRows, .other: nil
    }
  }

  override func createObservable(_ action: ParentAction) -> Effect {
    switch action {
    case .fixed, .sheet, .row: .handledByChild()
    case .show(let form): .mutate { $0.sheet = form }
    case .setRows(let rows): .mutate { $0.rows = rows }
    case .other(let note): other(note)
    }
  }

  override func diagnose(_ diagnostic: ViewModelDiagnostic<ParentAction>) {
    diagnosed.mutate { $0.append("\(diagnostic)") }
  }
}
