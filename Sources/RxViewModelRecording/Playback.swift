import RxViewModel

/// Answers what a recording has, while a test plays it.
package final class Playback: Sendable {
  package enum Answer: Sendable {
    case value(JSON)
    case error([JSON])
  }

  enum StreamEvent {
    case element(JSON)
    case failed([JSON])
    case completed
  }

  private struct WaitingCall {
    let key: CallKey
    let origin: EffectOrigin?
    let continuation: CheckedContinuation<Answer, any Error>
  }

  private struct Stream {
    let id: Int
    let key: CallKey
    let origin: (any WorkOrigin)?
    let send: @Sendable (StreamEvent) -> Void
  }

  private struct State {
    var taps: [Int: any PlayedModel] = [:]
    var made: [String: Int] = [:]
    var calls: [WaitingCall] = []
    var streams: [Stream] = []
    /// The subscriptions that have been disposed. An element may have come a moment later.
    var pastStreams: Set<CallKey> = []
    /// The readings and the first elements of streams that have not been used.
    var unused: [Entry]
    var departures: [String] = []
    var hasOtherState = false
    var mistake: String?
    var isOver = false
    var numbers = CallKey.fresh
  }

  package let entries: [Entry]
  /// Whether an input of a view model's own waits for its mark. It does not if the recording has no mark line.
  let holds: Bool
  let hasStates: Bool
  /// The first counts of the sources' calls. At a restart point, a source has asked before, and the test counts from there.
  private let firsts: [CallKey: Int]
  private let scheduler: ObjectIdentifier
  private let state: Lock<State>

  package init(_ entries: [Entry], on scheduler: any Scheduler & AnyObject) {
    (self.entries, self.scheduler) = (entries, ObjectIdentifier(scheduler))
    hasStates = entries.contains { $0.kind == .state }
    let restarts = Set(entries.filter(\.isRestart).map(\.model))
    var firsts: [CallKey: Int] = [:]
    for call in entries.compactMap(\.call) where restarts.contains(call.model) && call.action ?? 0 < 0 {
      firsts[call.first] = min(firsts[call.first] ?? .max, call.count)
    }
    self.firsts = firsts
    holds = entries.contains(where: \.isMark)
    state = Lock(State(unused: entries.filter { $0.kind == .value || $0.kind == .opening }))
  }

  package var departures: [String] { state.withLock { $0.departures } }

  package func depart(_ text: String) {
    state.withLock { $0.departures.append(text) }
  }

  /// Notes a state that differs. Only the first one tells something.
  func departInState(_ text: String) {
    state.withLock { state in
      if !state.hasOtherState { state.departures.append(text) }
      state.hasOtherState = true
    }
  }

  func decoding<Value>(_ name: String, _ decode: () throws -> Value) throws -> Value {
    do {
      return try decode()
    } catch {
      depart("\(name) cannot be decoded, or was not recorded")
      throw RecordedError(type: "Unrecorded", description: name)
    }
  }

  // MARK: View models

  /// The number of the next view model with this name.
  func index(ofNext name: String) -> Int {
    let same = entries.filter { $0.kind == .model && $0.fields[0].string == name }
    return state.withLock { state in
      let count = state.made[name, default: 0]
      state.made[name] = count + 1
      if count < same.count { return same[count].model }
      state.departures.append("the recording has no view model \"\(name)\" with the number \(count + 1)")
      return 1_000_000 + state.taps.count
    }
  }

  func add(_ tap: any PlayedModel, on other: any Scheduler) {
    let isSame = ObjectIdentifier(other as AnyObject) == scheduler
    state.withLock { state in
      if !state.isOver { state.taps[tap.model] = tap }
      if !isSame { state.mistake = "The body has made \(tap.name) without run.scheduler" }
    }
  }

  /// Why the test tests nothing, once it has made its view models. Nil if it may test something.
  package var mistake: String? {
    let models = entries.filter { $0.kind == .model }
    return state.withLock { state in
      if state.mistake != nil || models.isEmpty || models.contains(where: { state.taps[$0.model] != nil }) {
        return state.mistake
      }
      let list = { (names: [String]) in names.isEmpty ? "none" : names.map { "\"\($0)\"" }.joined(separator: ", ") }
      let recorded = list(models.map { $0.fields[0].string ?? "" })
      return
        "The body has made none of the recorded view models: recorded \(recorded), made \(list(state.made.keys.sorted()))"
    }
  }

  package func model(_ index: Int) -> (any PlayedModel)? {
    state.withLock { $0.taps[index] }
  }

  package var models: [any PlayedModel] {
    state.withLock { $0.taps }.values.sorted { $0.model < $1.model }
  }

  func freshNumber() -> Int {
    state.withLock { state in
      state.numbers += 1
      return state.numbers
    }
  }

  // MARK: Calls, readings and streams

  private func key(_ question: String, _ origin: EffectOrigin?) -> CallKey {
    guard let origin, origin.action != 0 else {
      return CallKey(model: origin?.model ?? 0, action: nil, question: question, count: 1)
    }
    origin.counts[question, default: 0] += 1
    var key = CallKey(model: origin.model, action: origin.action, question: question, count: 1)
    key.count = origin.counts[question]! &+ (firsts[key] ?? 1) &- 1
    return key
  }

  func answer(to question: String) async throws -> Answer {
    let origin = Taps.origin as? EffectOrigin
    return try await withCheckedThrowingContinuation { continuation in
      let isOver = state.withLock { state in
        let key = key(question, origin)
        if !state.isOver { state.calls.append(WaitingCall(key: key, origin: origin, continuation: continuation)) }
        return state.isOver
      }
      if isOver { continuation.resume(throwing: CancellationError()) }
    }
  }

  /// Answers the call that the line means. Returns false if there is none.
  package func answer(_ entry: Entry) -> Bool {
    guard let key = entry.call else { return true }
    let call = state.withLock { state -> WaitingCall? in
      let index = state.calls.firstIndex { $0.key == key } ?? state.calls.firstIndex { key.means($0.key) }
      return index.map { state.calls.remove(at: $0) }
    }
    guard let call else { return false }
    let rest = Array(entry.fields.dropFirst(3))
    call.continuation.resume(returning: entry.kind == .error ? .error(rest) : .value(rest[0]))
    return true
  }

  func value(of question: String) -> JSON? {
    let origin = Taps.origin as? EffectOrigin
    return state.withLock { state in
      let key = key(question, origin)
      let index =
        state.unused.firstIndex { $0.kind == .value && $0.call == key }
        ?? state.unused.firstIndex { $0.kind == .value && $0.call?.means(key) == true }
      if index == nil { state.departures.append("the recording has no value for \"\(question)\"") }
      return index.map { state.unused.remove(at: $0).fields[3] }
    }
  }

  func subscribe(to name: String, _ send: @escaping @Sendable (StreamEvent) -> Void) -> any Disposable {
    let origin = Taps.origin as? EffectOrigin
    let (id, openings) = state.withLock { state -> (Int, [Entry]) in
      state.numbers += 1
      let key = key(name, origin)
      state.streams.append(Stream(id: state.numbers, key: key, origin: origin, send: send))
      let isOpening = { (entry: Entry) in entry.kind == .opening && entry.call?.means(key) == true }
      defer { state.unused.removeAll(where: isOpening) }
      return (state.numbers, state.unused.filter(isOpening))
    }
    for opening in openings { send(.element(opening.fields[3])) }
    return Disposables.create { [weak self] in self?.unsubscribe(id) }
  }

  private func unsubscribe(_ id: Int) {
    var streams: [Stream] = []
    state.withLock { state in
      streams = state.streams
      for stream in streams where stream.id == id { state.pastStreams.insert(stream.key) }
      state.streams.removeAll { $0.id == id }
    }
    withExtendedLifetime(streams) {}
  }

  /// Sends an element, or the end, of a stream. Returns false if no effect follows the stream.
  package func send(_ entry: Entry) -> Bool {
    guard let key = entry.call else { return true }
    let (stream, isLate) = state.withLock { state in
      let stream = state.streams.first { $0.key == key } ?? state.streams.first { key.means($0.key) }
      return (stream, state.pastStreams.contains(key))
    }
    guard let stream else { return isLate }
    Taps.$origin.withValue(stream.origin) {
      switch entry.kind {
      case .failed: stream.send(.failed(Array(entry.fields.dropFirst(3))))
      case .completed: stream.send(.completed)
      default: stream.send(.element(entry.fields[3]))
      }
    }
    return true
  }

  // MARK: The end

  /// Ends the calls that wait, and releases the taps, which retain this object. A call that was open in the recording too, or whose action
  /// has ended, is no departure.
  package func end() {
    let (calls, streams, taps) = state.withLock { state in
      state.isOver = true
      defer { (state.calls, state.streams, state.taps) = ([], [], [:]) }
      return (state.calls, state.streams, state.taps)
    }
    let open = entries.filter { $0.kind == .open }.compactMap(\.call)
    for call in calls {
      if call.origin?.isOver != true, !open.contains(where: { $0.means(call.key) }) {
        depart("the recording has no answer to \"\(call.key.question)\"")
      }
      call.continuation.resume(throwing: CancellationError())
    }
    withExtendedLifetime((streams, taps)) {}
  }
}
