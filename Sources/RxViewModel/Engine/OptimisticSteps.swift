/// What leads from the last state that is certain to the one that is shown, while a change is unconfirmed or a snapshot unfinished
/// (contract 2.20). It knows no engine. A class, so that an engine without one checks a single word.
///
///     base ──▶ step ──▶ step ──▶ step ──▶ shown
///
/// | kind       | the step                                    | becomes                                                            |
/// |------------|---------------------------------------------|--------------------------------------------------------------------|
/// | `change`   | what an unfinished action is expected to do | `done` if its action completes; otherwise it is removed            |
/// | `request`  | where the mappers of a snapshot stand       | removed at the end of its action                                   |
/// | `begin`    | what was certain when another action began  | removed at the end of its action                                   |
/// | `folded`   | a mapper of an unfinished action            | `done` at the end of its action                                    |
/// | `done`     | a change or a mapper that stays             | part of the base, as soon as no `change` and no `request` precedes |
///
/// A mapper stands where its answer belongs. One in the own turn of its action, behind the `change` of that action or, if there is none, at
/// the end; one for an error, at the end; a later one before the first `change` behind all of its own action, its `begin` included, and
/// behind what has made its child; one of a snapshot, at its `request`, behind its own `change`.
@usableFromInline
final class OptimisticSteps<State: Sendable> {
  typealias Mapper = StateMapper<State>
  enum Kind { case change, request, begin, folded, done }

  struct Step {
    let id: UInt64
    var kind: Kind
    let mapper: Mapper

    var isUndecided: Bool { kind == .change || kind == .request }

    /// A mapper that throws when it runs again changes nothing.
    func applied(to state: State) -> State { (try? mapper(state)) ?? state }
  }

  private var base: State
  private(set) var steps: [Step] = []
  private var isLong = false
  /// The mapper that has run last, its place, and the change that its fold takes back. ``accept()`` makes it a step.
  private var draft: (step: Step, place: Int, removed: Int?)?

  init(_ base: State) { self.base = base }

  /// Returns, once, whether there are very many steps.
  func becomesLong() -> Bool {
    if isLong || steps.count < 1_000 { return false }
    isLong = true
    return true
  }

  var shown: State { steps.reduce(base) { $1.applied(to: $0) } }

  /// The state without the changes that make something absent.
  func state(keeping isPresent: (State) -> Bool) -> State {
    steps.reduce(base) { state, step in
      let next = step.applied(to: state)
      return step.kind == .change && isPresent(state) && !isPresent(next) ? state : next
    }
  }

  /// Appends the change of an action. Returns the state shown then.
  func show(_ change: @escaping Mapper, of id: UInt64, on shown: State) -> State {
    steps.append(Step(id: id, kind: .change, mapper: change))
    return steps.last!.applied(to: shown)
  }

  /// An action begins, or a source sends an element: behind what is certain or, if it is a snapshot, before everything else.
  func begin(_ id: UInt64, isSnapshot: Bool) {
    steps.removeAll { $0.id == id && $0.kind == .begin }
    let place = isSnapshot ? settle() : (steps.lastIndex { $0.kind == .done } ?? -1) + 1
    steps.insert(Step(id: id, kind: isSnapshot ? .request : .begin) { $0 }, at: place)
  }

  /// Moves what is certain in front of the rest, if that makes no difference to what is shown. Returns the place of the rest.
  private func settle() -> Int {
    var (first, last, certain, shown) = ([Step](), [Step](), base, base)
    for step in steps {
      let (next, moved) = (step.applied(to: shown), step.applied(to: certain))
      let isCertain =
        step.kind == .done || step.kind == .request
        || step.kind == .begin && !last.contains { $0.kind == .done }
      if isCertain, last.isEmpty || areEqual(last.reduce(moved) { $1.applied(to: $0) }, next) {
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
  ///   - isOwnTurn: Whether the action starts in this step.
  ///   - isSource: Whether it is no action that sends the mapper.
  ///   - takesBack: Whether the mapper is that of an error: the change of the action goes in the same step.
  ///   - isPresent: Whether a state has the child of the action.
  func fold(
    _ mapper: @escaping Mapper, of id: UInt64, on shown: State, isOwnTurn: Bool, isSource: Bool,
    takesBack: Bool, isPresent: (State) -> Bool
  ) throws -> State {
    if isSource { begin(id, isSnapshot: false) }
    let own = steps.firstIndex { $0.id == id && $0.kind == .change }
    let removed = takesBack ? own : nil
    let request = takesBack ? nil : steps.firstIndex { $0.id == id && $0.kind == .request }
    var place = steps.endIndex
    if let request {
      place = max(request, (steps.lastIndex { $0.id == id && $0.kind == .done } ?? -1) + 1)
    } else if !takesBack, own != nil || !isOwnTurn {
      place = (steps.lastIndex { $0.id == id && !(isOwnTurn && $0.kind == .begin) } ?? -1) + 1
      if !isOwnTurn { place = steps[place...].firstIndex { $0.kind == .change } ?? steps.endIndex }
    }
    var state = shown
    if place < steps.endIndex || removed != nil {
      state = apply(0..<place, to: base, without: removed)
      while place < steps.endIndex, !isPresent(state) {
        state = steps[place].applied(to: state)
        place += 1
      }
    }
    if request != nil, let own, own >= place {
      // The response contains the change.
      steps.insert(steps.remove(at: own), at: place)
      state = steps[place].applied(to: state)
      place += 1
    }
    state = apply(place..<steps.endIndex, to: try mapper(state), without: removed)
    draft = (Step(id: id, kind: request == nil && !isSource ? .folded : .done, mapper: mapper), place, removed)
    return state
  }

  /// False if the states can't be compared.
  private func areEqual(_ left: State, _ right: State) -> Bool {
    func isEqual<Value: Equatable>(_ left: Value) -> Bool { left == right as? Value }
    return (left as? any Equatable).map { isEqual($0) } ?? false
  }

  private func apply(_ places: Range<Int>, to state: State, without removed: Int?) -> State {
    places.reduce(state) { $1 == removed ? $0 : steps[$1].applied(to: $0) }
  }

  /// The mapper that has run last doesn't count: its action has ended meanwhile.
  func forget() { draft = nil }

  /// The fold that has run last counts.
  @usableFromInline
  func accept() {
    guard let (step, place, removed) = draft.take() else { return }
    steps.insert(step, at: place)
    if let removed { steps.remove(at: removed < place ? removed : removed + 1) }
    moveBase()
  }

  /// An action has ended: confirms its change or takes it back. Returns whether it has taken something back, which changes the shown state.
  func end(_ id: UInt64, isSuccess: Bool) -> Bool {
    let count = steps.count
    steps.removeAll { $0.id == id && $0.kind == .change && !isSuccess }
    let isTakenBack = steps.count < count
    steps.removeAll { $0.id == id && ($0.kind == .request || $0.kind == .begin) }
    for index in steps.indices where steps[index].id == id { steps[index].kind = .done }
    // If everything is certain, what is shown is.
    if !isTakenBack, !steps.contains(where: \.isUndecided) { steps = [] }
    moveBase()
    return isTakenBack
  }

  /// Moves the base past what is certain.
  private func moveBase() {
    let certain = steps.prefix { !$0.isUndecided }
    if certain.isEmpty { return }
    base = certain.reduce(base) { $1.applied(to: $0) }
    steps.removeFirst(certain.count)
  }
}
