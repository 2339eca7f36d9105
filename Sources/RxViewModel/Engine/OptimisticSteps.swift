/// What leads from the last state that is certain to the one that is shown, while a change is unconfirmed or a snapshot unfinished
/// (contract 2.20). It knows no engine. A class, so that an engine without one checks a single word.
///
///     base ──▶ step ──▶ step ──▶ step ──▶ shown
///
/// | kind      | the step                                    | is certain, and so part of the base if all before it are         |
/// |-----------|---------------------------------------------|------------------------------------------------------------------|
/// | `change`  | what an unfinished action is expected to do | when its action has completed; otherwise it is removed           |
/// | `request` | where the next mapper of a snapshot stands  | never: it is removed at the end of its action                    |
/// | `mapper`  | what an effect or a source has sent         | when its action has ended; that of a snapshot or a source always |
///
/// A mapper stands where its answer belongs. One in the own turn of its action, behind the change of that action or, if there is none, at
/// the end; one for an error, at the end; a later one before the first unconfirmed change behind all of its own action, behind what was
/// certain when its action began, and behind what has made its child; one of a snapshot, at its request, behind its own change.
///
/// The first step is never certain, and no step is searched for whose owner has none of its kind. So what stands at the end costs O(1).
@usableFromInline
final class OptimisticSteps<State: Sendable> {
  typealias Mapper = StateMapper<State>
  typealias Step = OptimisticStep

  private var base: State
  private(set) var steps: [Step] = []
  /// Whether there have been a thousand steps.
  var isLong = false
  /// The number of actions that have begun while there were steps.
  private(set) var begun: Int
  /// The mapper that has run last, its place, and whether its fold takes back the change. ``accept()`` makes it a step.
  private var draft: (step: Step, place: Int, takesBack: Bool)?

  /// - Parameter begun: The number of actions that have begun while there were steps earlier.
  init(_ base: State, begun: Int) { (self.base, self.begun) = (base, begun) }

  var shown: State { apply(steps.indices, to: base) }

  /// The state without the changes that make something absent.
  func state(keeping isPresent: (State) -> Bool) -> State {
    steps.reduce(base) { state, step in
      let next = apply(step, to: state)
      return step.isOpenChange && isPresent(state) && !isPresent(next) ? state : next
    }
  }

  /// Appends the change of an action. Returns the state shown then.
  func show(_ change: @escaping Mapper, of owner: StepOwner, on shown: State) -> State {
    owner.hasChange = true
    steps.append(Step(owner: owner, kind: .change, mapper: Box(change)))
    return apply(steps.last!, to: shown)
  }

  /// An action begins, or a source sends an element. The mappers of a snapshot will stand before everything that isn't certain.
  func begin(_ owner: StepOwner) {
    begun += 1
    owner.begun = begun
    if !owner.isSnapshot { return }
    steps.insert(Step(owner: owner, kind: .request, mapper: Box<Mapper>({ $0 })), at: settle())
    moveBase()
  }

  /// Moves what is certain in front of the rest, if that makes no difference to what is shown. Returns the place of the rest.
  private func settle() -> Int {
    var (first, last, certain, shown) = ([Step](), [Step](), base, base)
    for step in steps {
      let (next, moved) = (apply(step, to: shown), apply(step, to: certain))
      // A request stays behind the earlier mappers of its snapshot.
      let isBehind = last.contains { $0.kind == .mapper && $0.owner === step.owner }
      let mayMove = step.certainSince < .max || step.kind == .request && !isBehind
      if mayMove,
        last.isEmpty || (next as? any Equatable)?.isEqual(to: last.reduce(moved) { apply($1, to: $0) }) == true
      {
        first.append(step)
        certain = moved
      } else {
        last.append(step)
      }
      shown = next
    }
    steps = first + last
    return first.count
  }

  /// Runs a mapper at its place, and then what stands behind it. Returns the state shown then, which ``accept()`` makes valid.
  ///
  /// - Parameters:
  ///   - owner: The action. Nil for a source, whose elements are certain.
  ///   - isOwnTurn: Whether the action starts in this step.
  ///   - takesBack: Whether the mapper is that of an error: the change of the action goes in the same step.
  ///   - isPresent: Whether a state has the child of the action.
  func fold(
    _ mapper: @escaping Mapper, of owner: StepOwner?, on shown: State, isOwnTurn: Bool, takesBack: Bool,
    isPresent: (State) -> Bool
  ) throws -> State {
    let isSource = owner == nil
    let owner = owner ?? StepOwner()
    if isSource { begin(owner) }
    let (own, request) = (index(.change, of: owner), takesBack ? nil : index(.request, of: owner))
    if takesBack, let own { steps.remove(at: own) }
    var place = request ?? steps.endIndex
    if !takesBack, request == nil, own != nil || !isOwnTurn {
      place = (steps.lastIndex { $0.owner === owner || !isOwnTurn && $0.certainSince < owner.begun } ?? -1) + 1
      if !isOwnTurn { place = steps[place...].firstIndex { $0.isOpenChange } ?? steps.endIndex }
    }
    var state = place < steps.endIndex || takesBack && own != nil ? apply(0..<place, to: base) : shown
    while place < steps.endIndex, !isPresent(state) {
      state = apply(steps[place], to: state)
      place += 1
    }
    if let request {
      // The next mapper will stand behind this one, and the response contains the action's own change.
      let step = steps.remove(at: request)
      place = max(request, place - 1)
      if let own, own > place {
        steps.insert(steps.remove(at: own - 1), at: place)
        state = apply(steps[place], to: state)
        place += 1
      }
      steps.insert(step, at: place)
    }
    do { state = try mapper(state) } catch is AbsentChild {}
    let certain = isSource || request != nil ? begun : .max
    draft = (Step(owner: owner, kind: .mapper, mapper: Box(mapper), certain: certain), place, takesBack)
    return apply(place..<steps.endIndex, to: state)
  }

  private func index(_ kind: Step.Kind, of owner: StepOwner) -> Int? {
    guard kind == .change ? owner.hasChange : owner.isSnapshot else { return nil }
    return steps.lastIndex { $0.owner === owner && $0.kind == kind }
  }

  /// A mapper that throws when it runs again changes nothing.
  private func apply(_ step: Step, to state: State) -> State {
    (try? unsafeDowncast(step.mapper, to: Box<Mapper>.self).value(state)) ?? state
  }

  private func apply(_ places: Range<Int>, to state: State) -> State {
    steps[places].reduce(state) { apply($1, to: $0) }
  }

  /// The mapper that has run last doesn't count: its action has ended meanwhile.
  func forget() { draft = nil }

  /// The fold that has run last counts.
  func accept() {
    guard let (step, place, takesBack) = draft.take() else { return }
    steps.insert(step, at: place)
    if takesBack { step.owner.hasChange = false }
    moveBase()
  }

  /// Takes the change of an action back. Returns whether there was one, and so the shown state is another one.
  func takeBack(_ owner: StepOwner) -> Bool {
    if !owner.hasChange { return false }
    if let own = index(.change, of: owner) { steps.remove(at: own) }
    owner.hasChange = false
    moveBase()
    return true
  }

  /// An action has ended. What is left of it is certain.
  func end(_ owner: StepOwner) {
    if let request = index(.request, of: owner) { steps.remove(at: request) }
    (owner.ended, owner.hasChange) = (begun, false)
    // If everything is certain, what is shown is.
    if !steps.contains(where: \.isUndecided) { steps = [] }
    moveBase()
  }

  /// Moves the base past what is certain.
  private func moveBase() {
    let certain = steps.prefix { !$0.isUndecided }
    base = certain.reduce(base) { apply($1, to: $0) }
    steps.removeFirst(certain.count)
  }
}

/// A step, without the type of the state: unspecialized code would look up the metadata of a generic type at each use of the list.
struct OptimisticStep {
  enum Kind { case change, request, mapper }

  let owner: StepOwner
  let kind: Kind
  /// A ``Box``.
  let mapper: AnyObject
  /// When the step has become certain, if that is before the end of its action.
  var certain = Int.max

  var isOpenChange: Bool { kind == .change && owner.ended == .max }
  var isUndecided: Bool { kind == .request || isOpenChange }
  /// When the step has become certain: after so many actions had begun.
  var certainSince: Int { kind == .request ? .max : min(certain, owner.ended) }
}

/// An action that has begun while there were steps, or has shown a change: what its steps share. Only the driver uses it.
@usableFromInline
final class StepOwner {
  /// Whether the response is as old as its request.
  let isSnapshot: Bool
  /// Whether its effect is a single mapper that has waited only for what `createObservable` has sent.
  @usableFromInline var startsOnTop = false
  /// Whether an unconfirmed change is among the steps.
  var hasChange = false
  /// The number of actions that had begun then, itself included. 0 if there were no steps.
  var begun = 0
  /// The number of actions that had begun when it ended.
  var ended = Int.max

  init(isSnapshot: Bool = false) { self.isSnapshot = isSnapshot }
}
