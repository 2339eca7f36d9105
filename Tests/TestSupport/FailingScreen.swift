import RxViewModel

/// A view model that records how the library calls its overrides for failures.
final class FailingScreen: RxViewModel<Step, [String]>, @unchecked Sendable {  // Sendable: its properties are `let`s.
  typealias Fold = @Sendable (_ error: any Error, _ action: Step) -> StateMapper<[String]>?

  /// One line for each call of `handleError` and `diagnose`. `journal(in:)` adds the events of the streams.
  let told = Locked<[String]>([])
  private let fold: Fold
  private let handlesErrors: Bool
  private let mode: ExecutionMode

  init(
    scheduler: (any Scheduler)?, handlesErrors: Bool = false, mode: ExecutionMode = .parallel,
    fold: @escaping Fold = { _, _ in nil }
  ) {
    self.fold = fold
    self.handlesErrors = handlesErrors
    self.mode = mode
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> [String] { [] }

  override func createObservable(_ action: Step) -> Effect {
    do { return try action.effect() } catch { return .error(error) }
  }

  override func showSpinner(_ action: Step) -> Bool { action.spins }

  override func executionMode(for action: Step) -> ExecutionMode { mode }

  override func stateMapper(for error: any Error, action: Step) -> StateMapper<[String]>? {
    fold(error, action)
  }

  override func handleError(_ error: any Error, action: Step?) -> Bool {
    told.mutate { $0.append("handle \(error) of \(action?.name ?? "none")") }
    return handlesErrors
  }

  override func diagnose(_ diagnostic: ViewModelDiagnostic<Step>) {
    let text =
      switch diagnostic {
      case .unobservedError(let error, let action): "unobserved \(error) of \(action?.name ?? "none")"
      case .executedAfterClear(let action): "\(action.name) after clear"
      case .absentChild(let action), .executedAfterEnd(let action), .misplacedChild(let action):
        "\(action.name): \(diagnostic)"
      case .droppedEvent, .undecided: "\(diagnostic)"
      }
    told.mutate { $0.append(text) }
  }

  /// The lines of `told` that calls of `diagnose` have added, if there is no journal.
  var diagnostics: [String] { told.value.filter { !$0.hasPrefix("handle") } }

  /// Adds a line to `told` for each later event of the view model's streams.
  func journal(in bag: DisposeBag) {
    func note<Element>(_ stream: Observable<Element>, _ text: @escaping @Sendable (Element) -> String) {
      stream.subscribe(onNext: { [told] element in told.mutate { $0.append(text(element)) } }).disposed(by: bag)
    }
    note(isLoadingObservable) { "loading \($0)" }
    note(stateObservable) { "state \($0)" }
    note(actionAndStateObservable) { "\($0.action) made \($0.state)" }
    note(errorObservable) { "error \($0)" }
    note(actionAndErrorObservable) { "\($0.action?.name ?? "none") failed with \($0.error)" }
    note(executionObservable) { "\($0.action) \($0.phase)" }
    told.mutate { $0 = [] }
  }
}

extension Step {
  /// Fails at once.
  static func failing(_ name: String, _ error: any Error = TestError("oops"), spins: Bool = false) -> Step {
    Step(name, spins: spins) { throw error }
  }
}
