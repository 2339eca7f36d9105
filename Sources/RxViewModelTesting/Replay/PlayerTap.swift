import RxViewModel
import RxViewModelRecording

/// A view model that a recording is played to. The thread that plays calls it.
protocol PlayedModel: AnyObject, Sendable {
  var model: Int { get }
  var isReleased: Bool { get }
  /// Whether it begins the unfinished actions again.
  var isFrozen: Bool { get }
  /// The newest state, in the form of `dump`.
  var stateLines: [String] { get }
  /// The newest state as a recording has it. Nil if its type is not `Codable`.
  var stateJSON: String? { get }
  /// Begins the actions again that were unfinished where the recording begins. `settle` lets them work after each entry.
  func beginAgain(_ entries: [Entry], _ settle: (Entry) -> Void)
  /// Executes the action of the entry. Returns false if it cannot be decoded.
  func execute(_ entry: Entry) -> Bool
  /// Hands the input that has waited for this mark to the view model. Returns false if there is none.
  func release(_ entry: Entry) -> Bool
  /// Before the view model takes an input: the requests to cancel that come while it handles it.
  func expect(_ cancellations: [Entry])
  /// Makes a request that the view model has not met while it handled an input.
  func cancel(_ entry: Entry)
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
    var state: S?
    var isFrozen = false
    var origins: [UInt64: PlayedOrigin] = [:]
    var ended: Set<Int> = []
    /// The recorded number of each of the engine's actions.
    var numbers: [UInt64: Int] = [:]
    /// The actions that effects have executed, and that wait for their marks.
    var own: [UInt64: [Int]] = [:]
    /// The number of events that an action begun again had sent before. Nil while elements come again whose events the recording has.
    var stale: [Int: Int]? = [:]
    /// The number of the action that is being executed.
    var nextNumber: Int?
    var isCancelling = false
    /// The requests to cancel that come while the view model handles its newest input, and its next one.
    var (cancellations, expected) = ([Entry](), [Entry]())

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
  private let codes: Codes
  private let entry: Entry?
  private let isCut: Bool
  private let state = Lock(State())
  private weak var viewModel: RxViewModel<A, S>?
  private var batches: [Int: AnyObject] = [:]
  private var stopped: [Int: (number: Int, rest: AnyObject)] = [:]

  private init(_ recording: Player, _ model: Int, _ codes: Codes) {
    (self.recording, self.model, self.codes) = (recording, model, codes)
    turn = PlayedOrigin(model: model, action: 0)
    entry = recording.entries.first { $0.kind == .model && $0.model == model }
    isCut = recording.entries[..<recording.begin].contains { $0.kind == .model && $0.model == model }
  }

  static func making<M: RxViewModel<A, S>>(
    _ recording: Player, _ model: Int, _ codes: Codes, _ make: () throws -> M
  ) rethrows -> (model: M, tap: PlayerTap) {
    let tap = PlayerTap(recording, model, codes)
    let model = try tap.tapping(tap.turn, A.self, S.self, make)
    tap.viewModel = model
    return (model, tap)
  }

  // MARK: Calls of the engine

  var player: (any EnginePlayer)? { self }

  /// Puts the recorded state in place of the view model's own: before the sources are followed or, in a recording that begins later, after
  /// that, because its state already contains what the sources have sent.
  func open<State: Sendable>(_ state: State, isFollowed: Bool) -> State {
    var state = state
    if isFollowed == isCut, let entry, let recorded = decoded(entry) as? State { state = recorded }
    fold(state)
    return state
  }

  /// The state of an entry. Nil if its type is not `Codable`, or if it cannot be decoded.
  private func decoded(_ entry: Entry) -> S? {
    guard let type = S.self as? any Codable.Type else { return nil }
    if let value = (try? entry.value(type)) as? S { return value }
    if entry.json(entry.kind.place) != "null" { recording.fault("A state of \(S.self) cannot be decoded") }
    return nil
  }

  func close() {}

  func fold<State: Sendable>(_ state: State) {
    var old = state as? S
    self.state.withLock { swap(&$0.state, &old) }
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
      state.numbers[id] = state.nextNumber.take() ?? recording.freshNumber()
    }
  }

  func send(_ id: UInt64) {}
  func stop(_ batch: UInt64, at id: UInt64) {}
  func rest(in state: AnyObject) {}

  func parks(_ input: TappedInput) -> Bool {
    state.withLock { state in
      switch input {
      case .action(let id, _, _, _, _, _): return state.own[id] != nil
      case .other(.event, let id):
        let number = state.number(of: id)
        guard state.isFrozen, let count = state.stale?[number, default: number < 0 ? .max : 0], count > 0 else {
          return recording.holds
        }
        state.stale?[number] = count - 1
        return false
      case .other(.quiet, _): return recording.holds && !state.isFrozen
      case .other(let kind, _): return recording.holds && (kind == .call || kind == .failure)
      }
    }
  }

  func take(_ input: TappedInput, in state: AnyObject) {
    self.state.withLock { ($0.cancellations, $0.expected) = ($0.expected, []) }
  }

  func cancel(_ running: [UInt64], after looks: Int?) -> Bool {
    looks == nil || !recording.holds || state.withLock { $0.isCancelling }
  }

  func cancelled(after looks: Int) -> Set<UInt64>? {
    state.withLock { state in
      let due = state.cancellations.prefix { $0.number(4) ?? 0 <= looks }
      if due.isEmpty { return nil }
      state.cancellations.removeFirst(due.count)
      return state.ids(due.flatMap(\.cancelled))
    }
  }

  // MARK: Calls of the thread that plays

  func beginAgain(_ entries: [Entry], _ settle: (Entry) -> Void) {
    state.withLock { $0.isFrozen = true }
    for entry in entries {
      if entry.kind == .again { state.withLock { $0.stale?[entry.action ?? 0] = entry.number(5) } }
      switch entry.kind {
      case .resume, .pause: resume(entry)
      case .latest: _ = recording.deliver(entry)
      case .quiet: break
      case .element:
        state.withLock { $0.stale = nil }
        _ = recording.deliver(entry)
      default: _ = execute(entry)
      }
      settle(entry)
    }
    // The recording already has the actions that the effects have just executed again.
    state.withLock { ($0.isFrozen, $0.own) = (false, [:]) }
  }

  func execute(_ entry: Entry) -> Bool {
    guard let viewModel, let action = try? entry.value(A.self) else { return false }
    let batch = entry.number(7).map { self.batch($0, of: entry) }
    state.withLock { $0.nextNumber = entry.action }
    viewModel.execute(action, try? entry.value(TappedMode.self, at: 6), batch: batch)
    state.withLock { $0.nextNumber = nil }
    if entry.kind == .gone { cancelActions([entry.action ?? 0]) }
    return true
  }

  /// An action that was cancelled before a turn took it stands before earlier ones of its batch. It stops only the later ones.
  private func batch(_ key: Int, of entry: Entry) -> AnyObject {
    let number = entry.action ?? 0
    if let stopped = stopped[key], number > stopped.number { return stopped.rest }
    let isGone = entry.kind == .gone
    let made = (isGone ? nil : batches[key]) ?? RxViewModel<A, S>.makeBatch()
    if isGone { stopped[key] = (number, made) } else { batches[key] = made }
    return made
  }

  func release(_ entry: Entry) -> Bool {
    guard let viewModel else { return false }
    let origin = entry.kind == .own || entry.kind == .gone ? entry.origin : nil
    if entry.kind == .gone, origin == nil { return execute(entry) }
    let parked = viewModel.parkedInputs
    let candidates = state.withLock { state in parked.indices.filter { means(entry, origin, parked[$0], state) } }
    let same = candidates.first { index in
      if case .action(_, let action, _, _, _, _) = parked[index] {
        codes.json(of: action) == entry.json(4)
      } else {
        true
      }
    }
    guard let index = same ?? candidates.first else { return false }
    if case .action(let id, _, _, _, _, _) = parked[index] {
      state.withLock { state in
        state.own[id] = nil
        if let number = entry.action { state.numbers[id] = number }
      }
    }
    viewModel.release(at: index)
    if entry.kind == .gone { cancelActions([entry.action ?? 0]) }
    return true
  }

  private func means(_ entry: Entry, _ origin: [Int]?, _ input: TappedInput, _ state: State) -> Bool {
    switch (entry.kind, input) {
    case (.own, .action(let id, _, _, _, _, _)), (.gone, .action(let id, _, _, _, _, _)): state.own[id] == origin
    case (_, .other(let kind, let id)):
      kind.rawValue == entry.kind.rawValue && (id == 0 || state.number(of: id) == entry.action)
    default: false
    }
  }

  func expect(_ cancellations: [Entry]) { state.withLock { $0.expected = cancellations } }

  func cancel(_ entry: Entry) {
    let isLeft = state.withLock { state in
      let count = state.cancellations.count + state.expected.count
      state.cancellations.removeAll { $0.text == entry.text }
      state.expected.removeAll { $0.text == entry.text }
      return state.cancellations.count + state.expected.count < count
    }
    if isLeft { cancelActions(entry.cancelled) }
  }

  private func cancelActions(_ named: [Int]) {
    let ids = state.withLock { state in
      state.isCancelling = true
      return state.ids(named)
    }
    viewModel?.cancelActions(ids)
    state.withLock { $0.isCancelling = false }
  }

  func resume(_ entry: Entry) {
    let screen = UInt64(max(entry.action ?? 0, 0))
    if entry.kind == .resume { viewModel?.resume(screen) } else { viewModel?.pause(screen) }
  }

  private var newest: S? { state.withLock { $0.state } }

  func difference(_ entry: Entry) -> [String]? {
    guard let recorded = decoded(entry), let now = newest.flatMap({ codes.recorded($0) }) else { return nil }
    let areEqual = (recorded as? any Equatable)?.isEqual(now) ?? (dumpLines(of: recorded) == dumpLines(of: now))
    return areEqual ? nil : differences(recorded, now, most: mostElements)
  }

  var stateLines: [String] { newest.map { dumpLines(of: codes.redacted($0), most: mostElements) } ?? [] }

  var stateJSON: String? { S.self is any Codable.Type ? newest.map { codes.json(of: $0) } : nil }

  func clear() { viewModel?.clear() }

  var isReleased: Bool { viewModel == nil }

  func hasEnded(_ action: Int?) -> Bool {
    action.map { number in state.withLock { $0.ended.contains(number) } } ?? false
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
