import RxViewModel

@testable import TestSupport

/// A view model whose actions are the numbers of a scenario's plans.
final class ScriptedViewModel: RxViewModel<Int, Tags>, @unchecked Sendable {  // Sendable: its properties are `let`s.
  private let plans: [Plan]
  let effects: [ScriptedEffect]
  private let reached: @Sendable (CallbackPoint, Int) -> Void
  private let tracker: Lifetimes.Object?

  init(
    _ plans: [Plan], scheduler: (any Scheduler)?, tracker: Lifetimes.Object? = nil,
    reached: @escaping @Sendable (CallbackPoint, Int) -> Void
  ) {
    self.plans = plans
    self.reached = reached
    self.tracker = tracker
    effects = plans.indices.map { ScriptedEffect(plans[$0], action: $0, reached: reached) }
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> Tags { [] }

  override func child(for action: Int) -> ChildAction<Int, Tags>? {
    let level = plans[action].level
    if level == 0 { return nil }
    var outer = ScriptedFeature<OuterPart>(overrides: overrides)
    if level == 2 {
      let inner = ScriptedFeature<InnerPart>(overrides: overrides)
      outer.inner = { action in .init(inner, action, at: \.inner, as: { $0 }) }
    }
    return .init(outer, action, at: \.outer, as: { $0 })
  }

  private var overrides: ScriptedOverrides {
    ScriptedOverrides(plans: plans, effects: effects, reached: reached)
  }

  override func createObservable(_ action: Int) -> Effect {
    reached(.createObservable, action)
    return effects[action].observable()
  }

  override func showSpinner(_ action: Int) -> Bool {
    reached(.showSpinner, action)
    return plans[action].spins
  }

  override func executionMode(for action: Int) -> ExecutionMode {
    reached(.executionMode, action)
    return plans[action].mode.executionMode
  }

  override func stateMapper(for error: any Error, action: Int) -> StateMapper<Tags>? {
    if plans[action].level > 0 { return nil }
    reached(.stateMapper, action)
    return plans[action].recovers ? effects[action].failureMapper() : nil
  }

  override func handleError(_ error: any Error, action: Int?) -> Bool {
    reached(.handleError, action!)
    return false
  }

  /// Does nothing, because the scenarios provoke lost errors and actions after `clear()`, and the default writes a line for each of them.
  override func diagnose(_ diagnostic: ViewModelDiagnostic<Int>) {}
}

extension ScriptedViewModel {
  /// Subscribes to the six streams, and passes their events to `add`.
  func note(_ add: @escaping @Sendable (LogEntry) -> Void) -> [any Disposable] {
    func note<Element>(_ stream: Observable<Element>, _ line: @escaping @Sendable (Element) -> LogEntry)
      -> any Disposable
    {
      stream.subscribe { event in
        switch event {
        case .next(let element): add(line(element))
        case .error: add(.error(-1))
        case .completed: add(.end)
        }
      }
    }
    return [
      note(isLoadingObservable) { .loading($0) },
      note(stateObservable) { .state($0) },
      note(actionAndStateObservable) { .made($0.action, $0.state) },
      note(errorObservable) { .error(($0 as? Fault)?.action ?? -1) },
      note(actionAndErrorObservable) { .failedWith($0.action == ($0.error as? Fault)?.action ? $0.action! : -1) },
      note(executionObservable) { execution in
        switch execution.phase {
        case .waiting: .waiting(execution.action)
        case .started: .started(execution.action)
        case .emitted(let tags): .emitted(execution.action, tags)
        case .completed(let tags): .completed(execution.action, tags)
        case .failed: .failed(execution.action)
        case .cancelled: .cancelled(execution.action)
        case .dropped: .dropped(execution.action)
        }
      },
    ]
  }
}

/// A weak reference.
struct Weak<Object: AnyObject & Sendable>: Sendable {
  weak var object: Object?
}
