import RxViewModel

/// An action with an effect that the test chooses.
struct Step: Sendable, Equatable, CustomStringConvertible {
  let name: String
  var spins = false
  let effect: @Sendable () throws -> Observable<StateMapper<[String]>>

  init(
    _ name: String, spins: Bool = false,
    effect: @escaping @Sendable () throws -> Observable<StateMapper<[String]>>
  ) {
    self.name = name
    self.spins = spins
    self.effect = effect
  }

  /// Adds its name to the state, at once.
  init(_ name: String, spins: Bool = false) {
    self.init(name, spins: spins) { .mutate { $0.append(name) } }
  }

  /// Adds its name to the state when `source` sends.
  init<Element>(_ name: String, spins: Bool = false, on source: some ObservableType<Element>) {
    self.init(name, spins: spins) { source.mutate { state, _ in state.append(name) } }
  }

  var description: String { name }

  static func == (left: Step, right: Step) -> Bool { left.name == right.name }
}

/// A view model whose actions carry their effects.
final class Screen: RxViewModel<Step, [String]>, @unchecked Sendable {  // Sendable: its properties are `let`s.
  let initialStates = Locked(0)
  let handled = Locked<[String]>([])
  let handlesErrors: Bool
  let tracker: Lifetimes.Object?

  init(scheduler: (any Scheduler)? = nil, handlesErrors: Bool = false, tracker: Lifetimes.Object? = nil) {
    self.handlesErrors = handlesErrors
    self.tracker = tracker
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> [String] {
    initialStates.mutate { $0 += 1 }
    return []
  }

  override func createObservable(_ action: Step) -> Effect {
    do {
      return try action.effect()
    } catch {
      return .error(error)
    }
  }

  override func showSpinner(_ action: Step) -> Bool {
    action.spins
  }

  override func handleError(_ error: any Error, action: Step?) -> Bool {
    handled.mutate { $0.append("\(error) of \(action?.name ?? "no action")") }
    return handlesErrors
  }

  /// Does nothing, because the tests provoke errors that reach no subscriber, and the default writes a line for each of them.
  override func diagnose(_ diagnostic: ViewModelDiagnostic<Step>) {}
}

/// Everything that a screen emits, in one list.
final class Journal: Sendable {
  private let entries = Locked<[String]>([])
  private let bag = DisposeBag()

  init(_ screen: Screen) {
    note(screen.isLoadingObservable) { "loading \($0)" }
    note(screen.stateObservable) { "state \($0.joined())" }
    note(screen.actionAndStateObservable) { "\($0.action) made \($0.state.joined())" }
    note(screen.errorObservable) { "error \($0)" }
    note(screen.actionAndErrorObservable) { "\($0.action?.name ?? "no action") failed with \($0.error)" }
    note(screen.executionObservable) { "\($0.action) \(Self.name(of: $0.phase))" }
  }

  var lines: [String] { entries.value }

  /// The lines after the two that a new view model replays.
  var news: [String] { Array(lines.dropFirst(2)) }

  private func note<Element>(_ stream: Observable<Element>, _ text: @escaping @Sendable (Element) -> String) {
    stream.subscribe(
      onNext: { [entries] element in entries.mutate { $0.append(text(element)) } },
      onCompleted: { [entries] in entries.mutate { $0.append("end") } }
    ).disposed(by: bag)
  }

  private static func name(of phase: Execution<Step, [String]>.Phase) -> String {
    switch phase {
    case .waiting: "waiting"
    case .started: "started"
    case .emitted(let state): "emitted \(state.joined())"
    case .completed(let state): "completed \(state.joined())"
    case .failed: "failed"
    case .cancelled: "cancelled"
    case .dropped: "dropped"
    }
  }
}
