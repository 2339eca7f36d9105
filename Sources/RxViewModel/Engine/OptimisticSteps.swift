/// What leads from the last state that is certain to the one that is shown, while a change is unconfirmed or a snapshot unfinished
/// (contract 2.20). It knows no engine. A class, so that an engine without one checks a single word.
///
///     base ──▶ step ──▶ step ──▶ step ──▶ shown
///
/// | kind       | the step                                    | becomes                                                            |
/// |------------|---------------------------------------------|--------------------------------------------------------------------|
/// | `change`   | what an unfinished action is expected to do | `done` if its action completes; otherwise it is removed            |
/// | `request`  | where the mappers of a snapshot stand       | removed at the end of its action                                   |
/// | `folded`   | a mapper of an unfinished action            | `done` at the end of its action                                    |
/// | `done`     | a change or a mapper that stays             | part of the base, as soon as no `change` and no `request` precedes |
///
/// A mapper stands where its answer belongs: one in the own turn of its action at the end; a later one before the first `change` of another
/// action, but behind all of its own action and behind what has made its child; one of a snapshot at its `request`, behind its own `change`.
@usableFromInline
final class OptimisticSteps<State: Sendable> {
  typealias Mapper = StateMapper<State>
  enum Kind { case change, request, folded, done }

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
  /// The mapper that has run last, its place, and the change that its fold takes back. ``accept()`` makes it a step.
  private var draft: (step: Step, place: Int, removed: Int?)?

  init(_ base: State) { self.base = base }

  /// Whether the next step makes the steps very many. The first one is undecided.
  var isLong: Bool { steps.count == 1_000 }

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

  /// A snapshot is requested: before everything of the actions that are unfinished.
  func request(of id: UInt64) {
    let place = steps.firstIndex { $0.kind == .change || $0.kind == .folded }
    steps.insert(Step(id: id, kind: .request) { $0 }, at: place ?? steps.endIndex)
  }

  /// Runs a mapper at its place, and then what stands behind it. Returns the state shown then, which ``accept()`` makes valid.
  ///
  /// - Parameters:
  ///   - isOwnTurn: Whether the action starts in this step.
  ///   - takesBack: Whether the mapper is that of an error: the change of the action goes in the same step.
  ///   - isPresent: Whether a state has the child of the action.
  func fold(
    _ mapper: @escaping Mapper, of id: UInt64, on shown: State, isOwnTurn: Bool, takesBack: Bool,
    isPresent: (State) -> Bool
  ) throws -> State {
    let own = steps.firstIndex { $0.id == id && $0.kind == .change }
    let removed = takesBack ? own : nil
    let request = steps.firstIndex { $0.id == id && $0.kind == .request }
    var place = request ?? steps.endIndex
    if let request, let own, own > request, !takesBack {
      // The response contains the change.
      steps.insert(steps.remove(at: own), at: request)
      place += 1
    } else if request == nil, !isOwnTurn, let other = steps.firstIndex(where: { $0.id != id && $0.kind == .change }) {
      place = max(other, (steps.lastIndex { $0.id == id } ?? -1) + 1)
    }
    let apply = { [steps] (state: State, places: Range<Int>) in
      places.reduce(state) { $1 == removed ? $0 : steps[$1].applied(to: $0) }
    }
    var state = shown
    if place < steps.endIndex || removed != nil {
      state = apply(base, 0..<place)
      while place < steps.endIndex, !isPresent(state) {
        state = apply(state, place..<place + 1)
        place += 1
      }
    }
    state = apply(try mapper(state), place..<steps.endIndex)
    draft = (Step(id: id, kind: request == nil ? .folded : .done, mapper: mapper), place, removed)
    return state
  }

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
    steps.removeAll { $0.id == id && $0.kind == .request }
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
