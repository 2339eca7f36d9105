import RxViewModel
import RxViewModelRecording

/// A view model that a recording is played to. The thread that plays calls it.
protocol PlayedModel: AnyObject, Sendable {
  var model: Int { get }
  /// The newest state, in the form of `dump`.
  var stateLines: [String] { get }
  /// The newest state as a recording has it. Nil if its type is not `Codable`.
  var stateJSON: String? { get }
  /// Executes the unfinished action of the entry, which repeats the events that it has had.
  func beginAgain(_ entry: Entry)
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
  func hasEnded(_ action: Int) -> Bool
  /// The number of events that the effect of an action has sent, without those that wait for their marks.
  func takenEvents(of action: Int) -> Int
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
  private struct State {
    /// The recorded number of each of the engine's actions. The other variables have these numbers, if they don't say `UInt64`.
    var numbers: [UInt64: Int] = [:]
    var ended: Set<Int> = []
    /// How many events each action has had where the recording begins. It repeats them when it begins again.
    var repeats: [Int: Int] = [:]
    /// How many events each action has sent in the test.
    var sent: [Int: Int] = [:]
    /// What has executed the view model's own actions that wait for their marks. Empty for an effect that begins again: its actions wait
    /// without end, because the recording has them already.
    var causes: [UInt64: [Int]] = [:]
    /// The number of the action that the thread that plays is executing.
    var executing: Int?
    /// Whether the thread that plays is cancelling actions.
    var isCancelling = false
    /// The entries of the requests to cancel that come while the view model handles its newest input.
    var cancelEntries: [Int] = []

    /// The number of a source is negative, and that of a turn is 0.
    func number(of id: UInt64) -> Int {
      let number = Int(truncatingIfNeeded: id)
      return number < 0 ? number : numbers[id] ?? number
    }

    func ids(_ named: [Int]) -> Set<UInt64> {
      Set(numbers.filter { named.contains($0.value) }.map(\.key))
    }
  }

  let model: Int
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
    isCut = session.cutModels.contains(model)
    entry = session.entries.first { $0.kind == .model && $0.model == model }
    debounced = Set(session.entries.filter { $0.model == model && $0.kind == .quiet }.map { $0.action ?? 0 })
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
    PlayedEffect(model: model, action: state.withLock { $0.number(of: id) })
  }

  func accept(_ id: UInt64) {
    let cause = Taps.origin.map { session.phase(of: $0.model) == .playing ? [$0.model, $0.action] : [] }
    state.withLock { state in
      if case nil = state.executing { state.causes[id] = cause }
      state.numbers[id] = state.executing.take() ?? CallKey.firstUnrecordedAction + Int(truncatingIfNeeded: id)
    }
  }

  func parks(_ input: TappedInput) -> Bool {
    if !session.hasMarks { return false }
    let phase = session.phase(of: model)
    return state.withLock { state in
      switch input {
      case .action: return state.causes[input.parts.id] != nil
      case .other(.event, let id):
        let number = state.number(of: id)
        defer { state.sent[number, default: 0] += 1 }
        // A source repeats whatever it sends.
        let isNew = number >= 0 && state.sent[number, default: 0] >= state.repeats[number, default: 0]
        return isNew || phase != .repeating
      case .other(.quiet, let id): return debounced.contains(state.number(of: id)) && phase == .playing
      case .other(let kind, _): return kind == .call || kind == .failure
      }
    }
  }

  var isFrozen: Bool { session.phase(of: model) != .playing }

  func take(_ input: TappedInput, in state: AnyObject) {
    let entries = session.cancelEntries(of: model)
    self.state.withLock { $0.cancelEntries = entries }
  }

  func cancelled(after looks: Int) -> Set<UInt64>? {
    let entries = state.withLock { $0.cancelEntries }
    let due = entries.filter { session.entries[$0].number(4) ?? 0 <= looks && session.takeCancellation($0) }
    let actions = due.flatMap { session.entries[$0].cancelled }
    return actions.isEmpty ? nil : state.withLock { $0.ids(actions) }
  }

  func cancel(_ running: [UInt64], after looks: Int?) -> Bool {
    looks == nil || !session.hasMarks || state.withLock { $0.isCancelling }
  }

  func end(_ id: UInt64) { state.withLock { _ = $0.ended.insert($0.number(of: id)) } }

  // MARK: Calls of the thread that plays

  func beginAgain(_ entry: Entry) {
    state.withLock { $0.repeats[entry.action ?? 0] = entry.number(5) }
    _ = execute(entry)
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
    guard case .other(let kind, _) = input else { return entry.cause != nil && state.causes[id] == entry.cause }
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

  func hasEnded(_ action: Int) -> Bool { state.withLock { $0.ended.contains(action) } }

  func takenEvents(of action: Int) -> Int {
    let parked = viewModel?.parkedInputs ?? []
    return state.withLock { state in
      let waiting = parked.count {
        if case .other(.event, let id) = $0 { state.number(of: id) == action } else { false }
      }
      return state.sent[action, default: 0] - waiting
    }
  }
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
  /// The actions that a `cancel` entry has.
  var cancelled: [Int] { (try? value([Int].self, at: 3)) ?? [] }
}
