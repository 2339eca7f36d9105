import RxViewModel
import RxViewModelRecording

/// A view model that a recording is played to. The thread that plays calls it.
protocol PlayedModel: AnyObject, Sendable {
  var model: Int { get }
  /// The newest state. Nil after the release of the view model.
  var stateText: StateText? { get }
  /// The view model is about to take the input of the entry, during which actions are cancelled.
  func begin(_ entry: Entry, _ cancellations: [Entry])
  /// Drops what the sources have sent while they began again: the recorded state has it.
  func beginPlaying()
  /// Executes the action of the entry. Returns why that is not possible, or nil.
  func execute(_ entry: Entry) -> String?
  /// Lets the view model take the input that waits for this mark. Returns false if there is none.
  func release(_ entry: Entry) -> Bool
  func cancel(_ actions: [Int])
  func flush(_ entry: Entry)
  /// Resumes or pauses the screen of the entry.
  func resume(_ entry: Entry)
  /// The lines that differ between the recorded state and the newest, each in the form that `formed` returns. Empty if none do. Nil if
  /// there is nothing to compare: no view model any more, or a state that can't be decoded.
  func difference(_ entry: Entry, _ formed: (any Sendable) -> any Sendable) -> [String]?
  func clear()
  /// Whether the view model has been cleared or released.
  var isClosed: Bool { get }
  /// Whether the action with this number has ended in the test.
  func hasEnded(_ action: Int) -> Bool
}

/// The effect of an action in a replay, or the turn, which has the number 0.
final class PlayedEffect: WorkOrigin {
  let model: Int
  /// Nil if the recording doesn't have the action.
  let number: Int?
  var action: Int { number ?? .max }

  init(model: Int, number: Int?) { (self.model, self.number) = (model, number) }

  func fire() {}
}

/// Lets a view model take what a recording has, in its order.
///
/// An action from elsewhere is executed where it was recorded: `execute` passes its number to `accept`. Everything else comes from the test,
/// and perhaps too early. If the recording has marks, it waits. Where the recording has its mark, `release` finds it among those that wait,
/// and the engine takes it.
// Sendable: the lock guards what the engine's threads use. Only the thread that plays uses the other variables.
final class ReplayTap<A: Codable & Sendable, S: Sendable>: EngineTap, PlayedModel, @unchecked Sendable {
  private struct State {
    /// The recorded number of each of the engine's actions. The other variables have these numbers, if they don't say `UInt64`.
    var numbers: [UInt64: Int] = [:]
    var ended: Set<Int> = []
    var isClosed = false
    /// What has executed the view model's own actions that wait for their marks.
    var causes: [UInt64: [Int]] = [:]
    /// The number of the action that the thread that plays is executing.
    var executing: Int?
    /// Whether the thread that plays is cancelling actions.
    var isCancelling = false
    /// The actions that were cancelled before the view model took them.
    var cancelled: Set<Int> = []
    /// The requests to cancel that came while the view model was at work on its newest input, and the number of states since then.
    var (due, folds) = ([Entry](), 0)
    /// How many events of an effect were no inputs, and have not met their marks.
    var handled: [Int: Int] = [:]

    /// The number of a source is negative.
    func number(of id: UInt64) -> Int? { Int(truncatingIfNeeded: id) <= 0 ? Int(truncatingIfNeeded: id) : numbers[id] }

    func ids(_ named: Set<Int>) -> Set<UInt64> { Set(numbers.filter { named.contains($0.value) }.map(\.key)) }
  }

  let model: Int
  /// The entry of the view model. Nil if the recording doesn't have it.
  let entry: Entry?
  private let session: ReplaySession
  private var codes: Codes { session.codes }
  private let state = Lock(State())
  weak var viewModel: RxViewModel<A, S>?
  private var batches: [Int: AnyObject] = [:]

  init(_ session: ReplaySession, _ model: Int, _ entry: Entry?) {
    (self.session, self.model, self.entry) = (session, model, entry)
  }

  // MARK: Calls of the engine, for an action from its acceptance to its end

  func open<State: Sendable>(_ initial: State) -> State { entry.flatMap { decoded($0) as? State } ?? initial }

  /// The state of an entry. Nil if its type is not `Codable`, or if it cannot be decoded.
  private func decoded(_ entry: Entry) -> S? {
    guard let type = S.self as? any Codable.Type else { return nil }
    do { return try entry.value(type) as? S } catch {
      let text = "A state of \(S.self) cannot be decoded, that of \"\(self.entry?.name ?? "")\": \(error)"
      if !entry.isEmpty { session.noteUnusable(text) }
      return nil
    }
  }

  func close() { state.withLock { $0.isClosed = true } }

  func origin(of id: UInt64) -> any WorkOrigin {
    PlayedEffect(model: model, number: state.withLock { $0.number(of: id) })
  }

  func accept(_ id: UInt64) {
    let cause = Taps.origin.map { [$0.model, $0.action] }
    state.withLock { state in
      if let number = state.executing.take() { state.numbers[id] = number } else { state.causes[id] = cause }
    }
  }

  func parks(_ input: () -> TappedInput) -> Bool {
    if !session.letsWait(model) { return false }
    switch input() {
    case .action(let id, _, _, _, isOver: _): return state.withLock { $0.causes[id] != nil }
    case .event: return true
    case .flush, .resume, .pause: return false
    }
  }

  func take(_ input: TappedInput, in state: any AnyObject & Sendable, after states: UInt64) {}

  func fold<State: Sendable>(_ state: State) { self.state.withLock { $0.folds += 1 } }

  func handle(_ id: UInt64) {
    state.withLock { state in if let number = state.number(of: id) { state.handled[number, default: 0] += 1 } }
  }

  /// A request from outside the view model's own work comes from the recording.
  func cancel(_ ids: [UInt64], isInside: Bool, after states: UInt64?) -> Bool {
    isInside || !session.hasMarks || state.withLock { $0.isCancelling }
  }

  func begin(_ entry: Entry, _ cancellations: [Entry]) { state.withLock { ($0.folds, $0.due) = (0, cancellations) } }

  func willFold() {
    let due = state.withLock { state in state.due.filter { $0.number(5)! <= state.folds } }
    for entry in due { cancel(entry.cancelled) }
  }

  func end(_ id: UInt64, _ outcome: Outcome) {
    state.withLock { state in if let number = state.number(of: id) { state.ended.insert(number) } }
  }

  // MARK: Calls of the thread that plays

  func beginPlaying() { viewModel?.dropParkedInputs() }

  func execute(_ entry: Entry) -> String? {
    guard let viewModel else { return "the body has released the view model before" }
    if let key = entry.number(7), batches[key] == nil { batches[key] = RxViewModel<A, S>.makeBatch() }
    do {
      let (action, mode) = (try entry.value(A.self), try entry.value(TappedMode?.self, at: 6))
      state.withLock { $0.executing = entry.action }
      viewModel.execute(action, mode, batch: entry.number(7).flatMap { batches[$0] })
      state.withLock { $0.executing = nil }
      cancelIfDue(entry)
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
    let same = candidates.first { index in
      guard case .action(_, let action, _, _, isOver: _) = parked[index] else { return true }
      return codes.json(of: action) == entry.json(Entry.valueIndex)
    }
    if let index = same ?? candidates.first {
      if case .action(let id, _, _, _, isOver: _) = parked[index], let number = entry.action {
        state.withLock { ($0.causes[id], $0.numbers[id]) = (nil, number) }
      }
      viewModel.release(at: index)
      cancelIfDue(entry)
      return true
    }
    guard entry.kind == .event, let number = entry.action else { return false }
    return state.withLock { state in
      guard let count = state.handled[number], count > 0 else { return false }
      state.handled[number] = count - 1
      return true
    }
  }

  /// Whether the entry may be the mark of a waiting input. The caller holds the lock.
  private func means(_ entry: Entry, _ input: TappedInput, _ state: State) -> Bool {
    switch input {
    case .action(let id, _, _, _, isOver: _): entry.cause != nil && state.causes[id] == entry.cause
    case .event(let id): entry.kind == .event && state.number(of: id) == entry.action
    case .flush, .resume, .pause: false
    }
  }

  /// Cancels an action that was cancelled before the view model took it.
  private func cancelIfDue(_ entry: Entry) {
    guard let number = entry.action, state.withLock({ $0.cancelled.contains(number) }) else { return }
    cancel([number])
  }

  func cancel(_ actions: [Int]) {
    let ids = state.withLock { state in
      state.isCancelling = true
      state.cancelled.formUnion(actions)
      return state.ids(Set(actions))
    }
    viewModel?.cancelActions(ids)
    state.withLock { $0.isCancelling = false }
  }

  func flush(_ entry: Entry) { if let lane = entry.string(Entry.valueIndex) { viewModel?.flush(lane: lane) } }

  func resume(_ entry: Entry) {
    let screen = UInt64(max(entry.number(Entry.valueIndex) ?? 0, 0))
    if entry.kind == .resume { viewModel?.resume(screen) } else { viewModel?.pause(screen) }
  }

  func difference(_ entry: Entry, _ formed: (any Sendable) -> any Sendable) -> [String]? {
    guard let old = decoded(entry), let viewModel else { return nil }
    guard let new = codes.recorded(viewModel.currentState) else {
      session.noteUnusable("A state of \(S.self) that the test reaches cannot be encoded")
      return nil
    }
    let (recorded, now) = (formed(old), formed(new))
    let equatable = recorded as? any Equatable
    if equatable?.isEqual(to: now) == true { return [] }
    // NaN, and so a state that contains it, is unequal to another decoding of itself.
    let isComparable = decoded(entry).flatMap { equatable?.isEqual(to: formed($0)) } == true
    if !isComparable, dumpLines(of: recorded) == dumpLines(of: now) { return [] }
    return differences(recorded, now, most: mostShown)
  }

  var stateText: StateText? { viewModel.map { StateText(of: codes.redacted($0.currentState)) } }

  func clear() { viewModel?.clear() }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  func hasEnded(_ action: Int) -> Bool { state.withLock { $0.ended.contains(action) } }
}

/// The most elements of a collection that a departure shows.
private let mostShown = 1_000

extension Entry {
  /// The actions that a `cancel` entry has.
  var cancelled: [Int] { (try? value([Int].self)) ?? [] }
}
