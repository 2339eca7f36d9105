import RxViewModel
import RxViewModelRecording

/// A view model that a recording is played to. The thread that plays calls it.
protocol PlayedModel: AnyObject, Sendable {
  var model: Int { get }
  var isReleased: Bool { get }
  /// Whether its sources and its unfinished actions begin again.
  var isFrozen: Bool { get }
  /// The newest state, in the form of `dump`.
  var stateLines: [String] { get }
  /// The newest state as a recording has it. Nil if its type is not `Codable`.
  var stateJSON: String? { get }
  /// Begins the actions again that were unfinished where the recording begins. `settle` lets them work after each entry.
  func beginAgain(_ entries: [Entry], _ settle: (Entry) throws -> Void) rethrows
  /// Executes the action of the entry. Returns false if it cannot be decoded, or if the body has released the view model.
  func execute(_ entry: Entry) -> Bool
  /// Hands the input that has waited for this mark to the view model. Returns false if there is none.
  func release(_ entry: Entry) -> Bool
  func cancel(_ actions: [Int])
  func resume(_ entry: Entry)
  /// The lines that differ between the recorded state and the newest. Nil if none do.
  func difference(_ entry: Entry) -> [String]?
  func clear()
  func hasEnded(_ action: Int?) -> Bool
}

/// Lets a view model take what a recording has, in its order.
// Sendable: the lock guards what the engine's threads use. Only the thread that plays uses the other variables.
final class PlayerTap<A: Codable & Sendable, S: Sendable>: EngineTap, EnginePlayer, PlayedModel, @unchecked Sendable {
  private struct State {
    var isFrozen = false
    var origins: [UInt64: PlayedOrigin] = [:]
    var ended: Set<Int> = []
    /// The recorded number of each of the engine's actions.
    var numbers: [UInt64: Int] = [:]
    /// The actions that effects have executed, and that wait for their marks.
    var own: [UInt64: [Int]] = [:]
    /// How many events each restarted action still repeats; these aren't parked. Nil once held elements are sent, whose events have marks.
    var stale: [Int: Int]? = [:]
    /// The number of the action that is being executed.
    var nextNumber: Int?
    var isCancelling = false
    /// The requests to cancel that come while the view model handles its newest input.
    var requests: [Int] = []

    func number(of id: UInt64) -> Int {
      let number = Int(truncatingIfNeeded: id)
      return number < 0 ? number : numbers[id] ?? number
    }

    func ids(_ named: [Int]) -> Set<UInt64> {
      Set(numbers.filter { named.contains($0.value) }.map(\.key))
    }
  }

  let model: Int
  private let turn: PlayedOrigin
  private let recording: Player
  private var codes: Codes { recording.codes }
  private let entry: Entry?
  private let isCut: Bool
  /// The actions whose debounces wait for their marks. The recording had no other debounces, so those end when an entry needs their effects.
  private let debounced: Set<Int>
  private let state = Lock(State())
  weak var viewModel: RxViewModel<A, S>?
  private var batches: [Int: AnyObject] = [:]

  init(_ recording: Player, _ model: Int) {
    (self.recording, self.model) = (recording, model)
    turn = PlayedOrigin(model: model, action: 0)
    entry = recording.entries.first { $0.kind == .model && $0.model == model }
    isCut = recording.entries[..<recording.begin].contains { $0.kind == .model && $0.model == model }
    debounced = Set(recording.entries.filter { $0.model == model && $0.kind == .quiet }.map { $0.action ?? 0 })
    let isCut = isCut && recording.state.withLock { $0.step == nil }
    state.withLock { $0.isFrozen = isCut }
  }

  // MARK: Calls of the engine

  var player: (any EnginePlayer)? { self }

  /// Puts the recorded state in place of the view model's own: before the sources are followed or, in a recording that begins later, after
  /// that, because its state already contains what the sources have sent.
  func open<State: Sendable>(_ state: State, isFollowed: Bool) -> State {
    if isCut, entry?.json(5) == "null" { recording.state.withLock { $0.beginsInTheMiddle = true } }
    return isFollowed == isCut ? entry.flatMap { decoded($0) as? State } ?? state : state
  }

  /// The state of an entry. Nil if its type is not `Codable`, or if it cannot be decoded.
  private func decoded(_ entry: Entry) -> S? {
    guard let type = S.self as? any Codable.Type else { return nil }
    if let value = (try? entry.value(type)) as? S { return value }
    if entry.json(entry.kind.place) != "null" { recording.fault("A state of \(S.self) cannot be decoded") }
    return nil
  }

  func end(_ id: UInt64) {
    state.withLock { state in
      state.origins[id] = nil
      state.ended.insert(state.number(of: id))
    }
  }

  func origin(of id: UInt64) -> any WorkOrigin {
    if id == 0 { return turn }
    return state.withLock { state in
      if let origin = state.origins[id] { return origin }
      let origin = PlayedOrigin(model: model, action: state.number(of: id))
      state.origins[id] = origin
      return origin
    }
  }

  var isFrozen: Bool { state.withLock { $0.isFrozen } }

  func accept(_ id: UInt64) {
    state.withLock { state in
      if case nil = state.nextNumber, recording.holds, let origin = Taps.origin {
        state.own[id] = [origin.model, origin.action]
      }
      state.numbers[id] = state.nextNumber.take() ?? CallKey.fresh + Int(truncatingIfNeeded: id)
    }
  }

  func parks(_ input: TappedInput) -> Bool {
    state.withLock { state in
      switch input {
      case .action: return state.own[input.parts.id] != nil
      case .other(.event, let id):
        let number = state.number(of: id)
        guard state.isFrozen, let count = state.stale?[number, default: number < 0 ? .max : 0], count > 0 else {
          return recording.holds
        }
        state.stale?[number] = count - 1
        return false
      case .other(.quiet, let id): return debounced.contains(state.number(of: id)) && !state.isFrozen
      case .other(let kind, _): return recording.holds && (kind == .call || kind == .failure)
      }
    }
  }

  func take(_ input: TappedInput, in state: AnyObject) {
    let requests = recording.requests(of: model)
    self.state.withLock { $0.requests = requests }
  }

  func cancel(_ running: [UInt64], after looks: Int?) -> Bool {
    looks == nil || !recording.holds || state.withLock { $0.isCancelling }
  }

  func cancelled(after looks: Int) -> Set<UInt64>? {
    let requests = state.withLock { $0.requests }
    if requests.isEmpty { return nil }
    let due = requests.filter { recording.entries[$0].number(4) ?? 0 <= looks && recording.takeCancellation($0) }
    let actions = due.flatMap { recording.entries[$0].cancelled }
    return actions.isEmpty ? nil : state.withLock { $0.ids(actions) }
  }

  // MARK: Calls of the thread that plays

  func beginAgain(_ entries: [Entry], _ settle: (Entry) throws -> Void) rethrows {
    for entry in entries {
      switch entry.kind {
      case .again:
        state.withLock { $0.stale?[entry.action ?? 0] = entry.number(5) }
        _ = execute(entry)
      case .resume, .pause: resume(entry)
      case .latest: _ = recording.deliver(entry, isLast: true)
      case .element:
        state.withLock { $0.stale = nil }
        _ = recording.deliver(entry, isLast: true)
      default: break
      }
      try settle(entry)
    }
    // The recording already has the actions that the effects have just executed again.
    state.withLock { ($0.isFrozen, $0.own) = (false, [:]) }
  }

  func execute(_ entry: Entry) -> Bool {
    guard let viewModel else { return false }
    if let key = entry.number(7), batches[key] == nil { batches[key] = RxViewModel<A, S>.makeBatch() }
    do {
      let (action, mode) = (try entry.value(A.self), try entry.value(TappedMode?.self, at: 6))
      state.withLock { $0.nextNumber = entry.action }
      viewModel.execute(action, mode, batch: entry.number(7).flatMap { batches[$0] })
      state.withLock { $0.nextNumber = nil }
      return true
    } catch {
      recording.fault("An action cannot be decoded: \(entry.text)")
      return false
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
      state.withLock { ($0.own[id], $0.numbers[id]) = (nil, number) }
    }
    viewModel.release(at: index)
    if entry.kind == .gone { cancel([entry.action ?? 0]) }
    return true
  }

  private func means(_ entry: Entry, _ input: TappedInput, _ state: State) -> Bool {
    let id = input.parts.id
    guard case .other(let kind, _) = input else {
      return [.own, .gone].contains(entry.kind) && state.own[id] == entry.origin
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
    let now = viewModel.flatMap { codes.recorded($0.currentState) }
    guard let recorded = decoded(entry), let now else { return nil }
    let areEqual = (recorded as? any Equatable)?.isEqual(now) ?? (dumpLines(of: recorded) == dumpLines(of: now))
    return areEqual ? nil : differences(recorded, now, most: mostElements)
  }

  var stateLines: [String] {
    viewModel.map { dumpLines(of: codes.redacted($0.currentState), most: mostElements) } ?? []
  }

  var stateJSON: String? { S.self is any Codable.Type ? viewModel.map { codes.json(of: $0.currentState) } : nil }

  func clear() { viewModel?.clear() }

  var isReleased: Bool { viewModel == nil }

  func hasEnded(_ action: Int?) -> Bool {
    action.map { number in state.withLock { $0.ended.contains(number) } } ?? false
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
private let mostElements = 1_000

extension Entry {
  /// The actions that a request cancels.
  var cancelled: [Int] { (try? value([Int].self, at: 3)) ?? [] }
}
