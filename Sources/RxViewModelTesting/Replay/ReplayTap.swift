import RxViewModel
import RxViewModelRecording

/// A view model that a recording is played to. The thread that plays calls it.
protocol PlayedModel: AnyObject, Sendable {
  var model: Int { get }
  /// Whether its sources and its unfinished actions begin again.
  var isFrozen: Bool { get }
  /// The newest state, in the form of `dump`.
  var stateLines: [String] { get }
  /// The newest state as a recording has it. Nil if its type is not `Codable`.
  var stateJSON: String? { get }
  /// Begins the actions again that were unfinished where the recording begins. `settle` lets them work after each entry.
  func beginAgain(_ entries: [Entry], _ settle: (Entry) throws -> Void) rethrows
  /// Executes the action of the entry. Returns why that is not possible, or nil.
  func execute(_ entry: Entry) -> String?
  /// Lets the view model take the input that waits for this mark. Returns false if there is none.
  func release(_ entry: Entry) -> Bool
  func cancel(_ actions: [Int])
  /// Resumes or pauses the screen of the entry.
  func resume(_ entry: Entry)
  /// The lines that differ between the recorded state and the newest. Nil if none do.
  func difference(_ entry: Entry) -> [String]?
  func clear()
  /// Whether the action with this number has ended in the test.
  func hasEnded(_ action: Int?) -> Bool
}

/// The effect of an action in a replay, or the turn.
final class PlayedEffect: WorkOrigin {
  let model: Int
  let action: Int

  init(model: Int, action: Int) {
    (self.model, self.action) = (model, action)
  }

  func fire() {}
}

/// Lets a view model take what a recording has, in its order.
///
/// An action from elsewhere is executed where it was recorded: `execute` passes its number to `accept`. Any other input comes from the
/// test, and perhaps too early. If the recording has marks, `parks` lets it wait. Where the recording has its mark, `release` finds it
/// among those that wait, and the engine takes it. While it is handled, `cancelled` cancels what was cancelled then in the app.
// Sendable: the lock guards what the engine's threads use. Only the thread that plays uses the other variables.
final class ReplayTap<A: Codable & Sendable, S: Sendable>: EngineTap, EnginePlayer, PlayedModel, @unchecked Sendable {
  private enum Phase {
    /// The actions that were unfinished begin again. The events that they repeat need no marks.
    case beginningAgain
    /// The elements that operators held are sent. Their events have marks.
    case sendingHeld
    case playing
  }

  private struct State {
    var phase = Phase.playing
    /// How many events each action still repeats while it begins again. The recorded state has them already.
    var repeats: [Int: Int] = [:]
    var effects: [UInt64: PlayedEffect] = [:]
    /// The recorded numbers of the actions that have ended.
    var ended: Set<Int> = []
    /// The recorded number of each of the engine's actions.
    var numbers: [UInt64: Int] = [:]
    /// What has executed the view model's own actions that wait for their marks.
    var causes: [UInt64: [Int]] = [:]
    /// The number of the action that the thread that plays is executing.
    var executing: Int?
    /// Whether the thread that plays is cancelling actions.
    var isCancelling = false
    /// The entries of the requests to cancel that come while the view model handles its newest input.
    var cancelEntries: [Int] = []

    var isFrozen: Bool { phase != .playing }

    func number(of id: UInt64) -> Int {
      let number = Int(truncatingIfNeeded: id)
      return number < 0 ? number : numbers[id] ?? number
    }

    func ids(_ named: [Int]) -> Set<UInt64> {
      Set(numbers.filter { named.contains($0.value) }.map(\.key))
    }
  }

  let model: Int
  private let turn: PlayedEffect
  private let session: ReplaySession
  private var codes: Codes { session.codes }
  /// The entry of the view model. Nil if the recording doesn't have it.
  private let entry: Entry?
  /// Whether the recording begins after the view model was made.
  private let isCut: Bool
  /// The actions whose debounces wait for their marks. The recording had no other debounces, so those end when an entry needs their effects.
  private let debounced: Set<Int>
  private let state = Lock(State())
  weak var viewModel: RxViewModel<A, S>?
  private var batches: [Int: AnyObject] = [:]

  init(_ session: ReplaySession, _ model: Int) {
    (self.session, self.model) = (session, model)
    turn = PlayedEffect(model: model, action: 0)
    let isEntry = { (entry: Entry) in entry.kind == .model && entry.model == model }
    (entry, isCut) = (session.entries.first(where: isEntry), session.head.contains(where: isEntry))
    debounced = Set(session.entries.filter { $0.model == model && $0.kind == .quiet }.map { $0.action ?? 0 })
    // A view model that the body makes later begins no actions again.
    if isCut, session.state.withLock({ $0.step == nil }) { state.withLock { $0.phase = .beginningAgain } }
  }

  // MARK: Calls of the engine, for an action from its acceptance to its end

  var player: (any EnginePlayer)? { self }

  /// Puts the recorded state in place of the view model's own: before the sources are followed or, in a recording that begins later, after
  /// that, because its state already contains what the sources have sent.
  func open<State: Sendable>(_ state: State, isFollowed: Bool) -> State {
    if isCut, entry?.json(5) == "null" { session.state.withLock { $0.tally.beginsInTheMiddle = true } }
    return isFollowed == isCut ? entry.flatMap { decoded($0) as? State } ?? state : state
  }

  /// The state of an entry. Nil if its type is not `Codable`, or if it cannot be decoded.
  private func decoded(_ entry: Entry) -> S? {
    guard let type = S.self as? any Codable.Type else { return nil }
    if let value = (try? entry.value(type)) as? S { return value }
    if entry.json(entry.kind.valueIndex) != "null" { session.noteUnusable("A state of \(S.self) cannot be decoded") }
    return nil
  }

  func origin(of id: UInt64) -> any WorkOrigin {
    if id == 0 { return turn }
    return state.withLock { state in
      if let effect = state.effects[id] { return effect }
      let effect = PlayedEffect(model: model, action: state.number(of: id))
      state.effects[id] = effect
      return effect
    }
  }

  func accept(_ id: UInt64) {
    state.withLock { state in
      if case nil = state.executing, session.hasMarks, let effect = Taps.origin {
        state.causes[id] = [effect.model, effect.action]
      }
      state.numbers[id] = state.executing.take() ?? CallKey.firstUnrecordedAction + Int(truncatingIfNeeded: id)
    }
  }

  func parks(_ input: TappedInput) -> Bool {
    state.withLock { state in
      switch input {
      case .action: return state.causes[input.parts.id] != nil
      case .other(.event, let id):
        let number = state.number(of: id)
        // A source repeats whatever it sends.
        let count = state.repeats[number, default: number < 0 ? .max : 0]
        if state.phase != .beginningAgain || count <= 0 { return session.hasMarks }
        state.repeats[number] = count - 1
        return false
      case .other(.quiet, let id): return debounced.contains(state.number(of: id)) && !state.isFrozen
      case .other(let kind, _): return session.hasMarks && (kind == .call || kind == .failure)
      }
    }
  }

  var isFrozen: Bool { state.withLock { $0.isFrozen } }

  func take(_ input: TappedInput, in state: AnyObject) {
    let entries = session.cancelEntries(of: model)
    self.state.withLock { $0.cancelEntries = entries }
  }

  func cancelled(after looks: Int) -> Set<UInt64>? {
    let entries = state.withLock { $0.cancelEntries }
    if entries.isEmpty { return nil }
    let due = entries.filter { session.entries[$0].number(4) ?? 0 <= looks && session.takeCancellation($0) }
    let actions = due.flatMap { session.entries[$0].cancelled }
    return actions.isEmpty ? nil : state.withLock { $0.ids(actions) }
  }

  func cancel(_ running: [UInt64], after looks: Int?) -> Bool {
    looks == nil || !session.hasMarks || state.withLock { $0.isCancelling }
  }

  func end(_ id: UInt64) {
    state.withLock { state in
      state.effects[id] = nil
      state.ended.insert(state.number(of: id))
    }
  }

  // MARK: Calls of the thread that plays

  func beginAgain(_ entries: [Entry], _ settle: (Entry) throws -> Void) rethrows {
    for entry in entries {
      switch entry.kind {
      case .again:
        state.withLock { $0.repeats[entry.action ?? 0] = entry.number(5) }
        _ = execute(entry)
      case .resume, .pause: resume(entry)
      case .latest: _ = session.deliver(entry, isLast: true)
      case .element:
        state.withLock { if $0.isFrozen { $0.phase = .sendingHeld } }
        _ = session.deliver(entry, isLast: true)
      default: break
      }
      try settle(entry)
    }
    // The recording already has the actions that the effects have just executed again.
    state.withLock { ($0.phase, $0.causes) = (.playing, [:]) }
  }

  func execute(_ entry: Entry) -> String? {
    guard let viewModel else { return "the body has released the view model before" }
    if let key = entry.number(7), batches[key] == nil { batches[key] = RxViewModel<A, S>.makeBatch() }
    do {
      let (action, mode) = (try entry.value(A.self), try entry.value(TappedMode?.self, at: 6))
      state.withLock { $0.executing = entry.action }
      viewModel.execute(action, mode, batch: entry.number(7).flatMap { batches[$0] })
      state.withLock { $0.executing = nil }
      return nil
    } catch {
      session.noteUnusable("An action cannot be decoded: \(entry.text)")
      return "an action cannot be decoded:"
    }
  }

  func release(_ entry: Entry) -> Bool {
    guard let viewModel else { return false }
    let parked = viewModel.parkedInputs
    let candidates = state.withLock { state in parked.indices.filter { means(entry, parked[$0], state) } }
    let same = candidates.first { parked[$0].parts.action.map { codes.json(of: $0) == entry.json(4) } ?? true }
    guard let index = same ?? candidates.first else { return false }
    let (id, action) = parked[index].parts
    if let number = entry.action, action != nil {
      state.withLock { ($0.causes[id], $0.numbers[id]) = (nil, number) }
    }
    viewModel.release(at: index)
    if entry.kind == .gone { cancel([entry.action ?? 0]) }
    return true
  }

  /// Whether the entry may be the mark of a waiting input. The caller holds the lock.
  private func means(_ entry: Entry, _ input: TappedInput, _ state: State) -> Bool {
    let id = input.parts.id
    guard case .other(let kind, _) = input else {
      return [.own, .gone].contains(entry.kind) && state.causes[id] == entry.cause
    }
    let recorded: Entry.Kind = entry.kind == .forwarded ? .event : entry.kind
    return kind.rawValue == recorded.rawValue && (id == 0 || state.number(of: id) == entry.action)
  }

  func cancel(_ actions: [Int]) {
    let ids = state.withLock { state in
      state.isCancelling = true
      return state.ids(actions)
    }
    viewModel?.cancelActions(ids)
    state.withLock { $0.isCancelling = false }
  }

  func resume(_ entry: Entry) {
    let screen = UInt64(max(entry.number(3) ?? 0, 0))
    if entry.kind == .resume { viewModel?.resume(screen) } else { viewModel?.pause(screen) }
  }

  func difference(_ entry: Entry) -> [String]? {
    guard let recorded = decoded(entry), let viewModel, let now = codes.recorded(viewModel.currentState)
    else { return nil }
    let areEqual = (recorded as? any Equatable)?.isEqual(now) ?? (dumpLines(of: recorded) == dumpLines(of: now))
    return areEqual ? nil : differences(recorded, now, most: mostShown)
  }

  var stateLines: [String] { viewModel.map { dumpLines(of: codes.redacted($0.currentState), most: mostShown) } ?? [] }

  var stateJSON: String? { S.self is any Codable.Type ? viewModel.map { codes.json(of: $0.currentState) } : nil }

  func clear() { viewModel?.clear() }

  func hasEnded(_ action: Int?) -> Bool { state.withLock { state in action.map { state.ended.contains($0) } ?? false } }
}

extension TappedInput {
  /// The number of the action or screen, or 0, and the action.
  fileprivate var parts: (id: UInt64, action: (any Sendable)?) {
    switch self {
    case .action(let id, let action, _, _, _, _): (id, action)
    case .other(_, let id): (id, nil)
    }
  }
}

extension Equatable {
  fileprivate func isEqual(_ other: Any) -> Bool { self == other as? Self }
}

/// The most elements of a collection that a departure and a picture show.
private let mostShown = 1_000

extension Entry {
  /// The actions that a request cancels.
  var cancelled: [Int] { (try? value([Int].self, at: 3)) ?? [] }
}
