import RxViewModel

@testable import TestSupport

/// The answers of the two features of a scripted view model.
struct ScriptedOverrides: Sendable {
  let plans: [Plan]
  let effects: [ScriptedEffect]
  let reached: @Sendable (CallbackPoint, Int) -> Void

  func createObservable(_ action: Int) -> Observable<StateMapper<Tags>> {
    reached(.createObservable, action)
    return effects[action].observable()
  }

  func executionMode(for action: Int) -> ExecutionMode {
    reached(.executionMode, action)
    return plans[action].mode.executionMode
  }

  func showSpinner(_ action: Int) -> Bool {
    reached(.showSpinner, action)
    return plans[action].spins
  }

  func stateMapper(for action: Int) -> StateMapper<Tags>? {
    reached(.stateMapper, action)
    return plans[action].recovers ? effects[action].failureMapper() : nil
  }
}

/// A child that sees the whole state, so that its mappers can remove it.
protocol TagsPart: Sendable {
  var tags: Tags { get set }
  var identity: Int { get }
}

struct OuterPart: TagsPart {
  var tags: Tags
  let identity: Int

  var inner: InnerPart? {
    get { Family(tags).inner.map { InnerPart(tags: tags, identity: $0) } }
    set { if let newValue { tags = newValue.tags } }
  }
}

struct InnerPart: TagsPart {
  var tags: Tags
  let identity: Int
}

extension Tags {
  var outer: OuterPart? {
    get { Family(self).outer.map { OuterPart(tags: self, identity: $0) } }
    set { if let newValue { self = newValue.tags } }
  }
}

/// The feature of either child.
struct ScriptedFeature<Part: TagsPart>: Feature {
  let overrides: ScriptedOverrides
  /// Declares the child that the action is for. Nil if the action is that of this feature.
  var inner: (@Sendable (Int) -> ChildAction<Int, Part>)?

  func child(for action: Int) -> ChildAction<Int, Part>? { inner?(action) }

  func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Part>> {
    lift(overrides.createObservable(action), isJust: overrides.plans[action].script.isJust)
  }

  func executionMode(for action: Int) -> ExecutionMode { overrides.executionMode(for: action) }
  func showSpinner(_ action: Int) -> Bool { overrides.showSpinner(action) }
  func identity(of state: Part) -> AnyHashable? { state.identity }

  func stateMapper(for error: any Error, action: Int) -> StateMapper<Part>? {
    inner == nil ? overrides.stateMapper(for: action).map(lift) : nil
  }
}

private func lift<Part: TagsPart>(_ mapper: @escaping StateMapper<Tags>) -> StateMapper<Part> {
  { part in
    var part = part
    part.tags = try mapper(part.tags)
    return part
  }
}

/// - Parameter isJust: Whether the effect is a single mapper, which it then stays.
private func lift<Part: TagsPart>(
  _ effect: Observable<StateMapper<Tags>>, isJust: Bool
) -> Observable<StateMapper<Part>> {
  let lifted: Observable<StateMapper<Part>> = effect.map { lift($0) }
  if !isJust { return lifted }
  // A `just` sends its mapper while it is being subscribed to.
  let mapper = Locked<StateMapper<Part>?>(nil)
  lifted.subscribe(onNext: { sent in mapper.mutate { $0 = sent } }).dispose()
  return .just(mapper.value!)
}
