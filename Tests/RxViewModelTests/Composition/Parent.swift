import RxViewModel
import RxViewModelTesting

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

  func createObservable(_ action: FormAction, state: Form) -> Observable<StateMapper<Form>> {
    switch action {
    case .setName(let name): .mutate { $0.name = name }
    case .save: answer.mutate { $0.saved = $1 }
    case .setID(let id): .mutate { $0.id = id }
    }
  }

  func executionMode(for action: FormAction) -> ExecutionMode { action == .save ? mode : .parallel }

  func showSpinner(_ action: FormAction) -> Bool { action == .save }
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
  typealias Effect = Observable<StateMapper<ParentState>>

  let feature: FormFeature
  let diagnosed = Locked<[String]>([])
  private let other: @Sendable (ParentViewModel, String) -> Effect
  private let wrap: @Sendable (Effect) -> Effect

  /// - Parameters:
  ///   - wrap: Makes the sheet's effect from that of its feature.
  ///   - other: The effect of `.other`.
  init(
    _ feature: FormFeature = FormFeature(), scheduler: any Scheduler = ImmediateScheduler(),
    wrap: @escaping @Sendable (Effect) -> Effect = { $0 },
    other: @escaping @Sendable (ParentViewModel, String) -> Effect = { _, note in .mutate { $0.note = note } }
  ) {
    (self.feature, self.wrap, self.other) = (feature, wrap, other)
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> ParentState { ParentState() }

  override func createObservable(_ action: ParentAction) -> Effect {
    switch action {
    case .fixed(let action): embed(feature, action, at: \.fixed)
    case .sheet(let action): wrap(embed(feature, action, at: \.sheet))
    case .row(let id, let action): embed(feature, action, at: \.rows, id: id)
    case .show(let form): .mutate { $0.sheet = form }
    case .setRows(let rows): .mutate { $0.rows = rows }
    case .other(let note): other(self, note)
    }
  }

  override func executionMode(for action: ParentAction) -> ExecutionMode {
    switch action {
    case .fixed(let action), .sheet(let action): feature.executionMode(for: action)
    case .row(let id, let action): feature.executionMode(for: action).within("row \(id)")
    case .show, .setRows, .other: .parallel
    }
  }

  override func diagnose(_ diagnostic: Diagnostic<ParentAction>) { diagnosed.mutate { $0.append("\(diagnostic)") } }
}

extension ParentViewModel {
  /// Records the actions that are cancelled, dropped or fail from now on.
  func ends() -> TestObserver<String> {
    executionObservable.compactMap { execution in
      switch execution.phase {
      case .cancelled: "\(execution.action) cancelled"
      case .dropped: "\(execution.action) dropped"
      case .failed(let error): "\(execution.action) failed: \(error)"
      case .started, .emitted, .completed: nil
      }
    }.test()
  }
}
