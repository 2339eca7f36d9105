import RxViewModel
import RxViewModelRecording

/// The effect of an action in a replay, or the turn.
final class PlayedOrigin: WorkOrigin, @unchecked Sendable {  // Sendable: the lock of the player guards the variable.
  let model: Int
  let action: Int
  /// The calls so far, by question.
  fileprivate var counts: [String: Int] = [:]

  init(model: Int, action: Int) {
    (self.model, self.action) = (model, action)
  }

  func fire() {}
}

/// Answers what a recording has, while a test plays it: takes the place of services, clocks and streams.
final class Player: RecordingPlayer {
  /// A call that waits for its answer, or a subscription.
  fileprivate struct Listener {
    let key: CallKey
    let isCall: Bool
    let origin: PlayedOrigin?
    /// Nil ends a call.
    let receive: @Sendable (Entry?) -> Void
  }

  struct State {
    fileprivate var models: [Int: any PlayedModel] = [:]
    fileprivate var made: [String: Int] = [:]
    fileprivate var listeners: [Listener] = []
    /// The readings and the first elements of streams that have not been used.
    fileprivate var unused: [Entry]
    fileprivate var mistake: String?
    fileprivate var isOver = false
    fileprivate var numbers = CallKey.fresh
    fileprivate(set) var departures: [String] = []
    /// The numbers of entries that the test has met, that it has missed, and that are of view models that it hasn't made.
    fileprivate(set) var met = 0, missed = 0, elsewhere = 0
    /// Why the test cannot have reproduced anything.
    fileprivate(set) var faults: [String] = []

    fileprivate func index(of key: CallKey, isCall: Bool) -> Int? {
      let kin = listeners.indices.filter { listeners[$0].isCall == isCall }
      return kin.first { listeners[$0].key == key } ?? kin.first { key.means(listeners[$0].key) }
    }
  }

  let entries: [Entry]
  /// The number of entries before the `begin` entry. Zero if the recording has none.
  let begin: Int
  /// Whether a view model's own input waits for its mark. It doesn't if the recording has no marks.
  let holds: Bool
  /// The answers and readings of unfinished actions before the recording begins.
  private let past: [CallKey: Entry]
  /// The counts from which calls are numbered in a recording that begins later, because their effects may have asked before.
  private let firsts: [CallKey: Int]
  private let timed: Set<[Int]>
  private let scheduler: ObjectIdentifier
  private let state: Lock<State>

  init(_ entries: [Entry], on scheduler: any Scheduler & AnyObject) {
    (self.entries, self.scheduler) = (entries, ObjectIdentifier(scheduler))
    let isHead = { (entry: Entry) in
      [.model, .again, .past, .thrown, .latest, .quiet, .element, .resume, .pause].contains(entry.kind)
    }
    // Entries of other kinds before the `begin` entry would not be played.
    let head = entries.prefix(while: isHead)
    begin = entries.dropFirst(head.count).first?.kind == .begin ? head.count : 0
    holds = entries.contains(where: \.isMark)
    timed = Set(entries.filter { $0.kind == .timer }.map { [$0.model, $0.action ?? 0] })
    var (past, firsts) = ([CallKey: Entry](), [CallKey: Int]())
    for entry in entries {
      guard let call = entry.call, call.action != nil else { continue }
      if entry.kind == .past || entry.kind == .thrown {
        past[call.first] = entry
      } else if begin > 0 {
        firsts[call.first] = min(firsts[call.first] ?? .max, call.count)
      }
    }
    (self.past, self.firsts) = (past, firsts)
    state = Lock(State(unused: entries.filter { $0.kind == .value || $0.kind == .opening }))
  }

  /// How far the test has followed the recording.
  var progress: State { state.withLock { $0 } }

  /// - Parameter isElsewhere: Whether it is an entry of a view model that the test has not made.
  func depart(_ text: String, isElsewhere: Bool = false) {
    state.withLock { state in
      state.departures.append(text)
      if isElsewhere { state.elsewhere += 1 } else { state.missed += 1 }
    }
  }

  func meet() { state.withLock { $0.met += 1 } }

  func departInState(_ text: String) { state.withLock { $0.departures.insert(text, at: 0) } }

  func fault(_ text: String) { state.withLock { $0.faults.append(text) } }

  /// Whether the recording says when the timers of an action fire.
  func hasTimers(_ model: Int, _ action: Int?) -> Bool { timed.contains([model, action ?? 0]) }

  private func decoding<Value: Codable & Sendable>(_ name: String, _ type: Value.Type, _ entry: Entry) -> Value? {
    if let value = try? entry.value(type) { return value }
    fault("\(name) cannot be decoded, or was not recorded")
    return nil
  }

  // MARK: View models

  func make<A: Codable & Sendable, S, M: RxViewModel<A, S>>(
    _ name: String, _ codes: Codes, _ make: () throws -> M
  ) rethrows -> M {
    let (model, tap) = try PlayerTap<A, S>.making(self, index(ofNext: name), codes, make)
    let isSame = ObjectIdentifier(model.scheduler as AnyObject) == scheduler
    state.withLock { state in
      if !state.isOver { state.models[tap.model] = tap }
      if !isSame { state.mistake = "The body has made \(type(of: model)) without run.scheduler" }
    }
    return model
  }

  /// The number of the next view model with this name.
  private func index(ofNext name: String) -> Int {
    let same = entries.filter { $0.kind == .model && $0.string(3) == name }
    return state.withLock { state in
      let count = state.made[name, default: 0]
      state.made[name] = count + 1
      if count < same.count { return same[count].model }
      state.departures.append("the recording has no view model \"\(name)\" with the number \(count + 1)")
      return 1_000_000 + state.models.count
    }
  }

  /// Why the test tests nothing, once it has made its view models. Nil if it may test something.
  var mistake: String? {
    let models = entries.filter { $0.kind == .model }
    return state.withLock { state in
      let isSome = models.isEmpty || models.contains { state.models[$0.model] != nil }
      if isSome || state.mistake != nil { return state.mistake }
      let list = { (names: [String]) in names.isEmpty ? "none" : names.map { "\"\($0)\"" }.joined(separator: ", ") }
      return """
        The body has made none of the recorded view models: recorded \(list(models.map { $0.string(3) ?? "" })), \
        made \(list(state.made.keys.sorted()))
        """
    }
  }

  func model(_ index: Int) -> (any PlayedModel)? { state.withLock { $0.models[index] } }

  var models: [any PlayedModel] { state.withLock { $0.models }.values.sorted { $0.model < $1.model } }

  func freshNumber() -> Int {
    state.withLock { state in
      state.numbers += 1
      return state.numbers
    }
  }

  // MARK: Calls, readings and streams

  /// The key of the next call with this question. Called under the lock.
  private func key(_ question: String, _ origin: PlayedOrigin?, counts: Bool = true) -> CallKey {
    guard let origin, origin.action != 0 else {
      return CallKey(model: origin?.model ?? 0, action: nil, question: question, count: 1)
    }
    var key = CallKey(model: origin.model, action: origin.action, question: question, count: 1)
    if !counts { return key }
    origin.counts[question, default: 0] += 1
    key.count = origin.counts[question]! &+ (firsts[key] ?? 1) &- 1
    return key
  }

  /// The current effect, and whether its view model begins its actions again.
  private var context: (origin: PlayedOrigin?, isFrozen: Bool) {
    let origin = Taps.origin as? PlayedOrigin
    return (origin, origin.flatMap { model($0.model) }?.isFrozen == true)
  }

  func answer<V: Codable & Sendable>(to question: String, _ codes: Codes) async throws -> V {
    let (origin, isFrozen) = context
    return try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<V, any Error>) in
      let receive: @Sendable (Entry?) -> Void = { [self] entry in
        guard let entry else { return continuation.resume(throwing: CancellationError()) }
        if entry.kind == .error || entry.kind == .thrown { return continuation.resume(throwing: codes.error(entry)) }
        let value = decoding("The answer to \"\(question)\"", V.self, entry)
        let missing = RecordedError(type: "Unrecorded", description: question)
        continuation.resume(with: value.map { .success($0) } ?? .failure(missing))
      }
      let (isOver, known) = state.withLock { state -> (Bool, Entry?) in
        let first = key(question, origin, counts: false)
        if isFrozen, let known = past[first], firsts[first] == nil { return (false, known) }
        let call = Listener(key: key(question, origin), isCall: true, origin: origin, receive: receive)
        if !state.isOver { state.listeners.append(call) }
        return (state.isOver, nil)
      }
      if isOver || known != nil { receive(known) }
    }
  }

  func value<V: Codable & Sendable>(of question: String, _ codes: Codes) -> V? {
    let (origin, isFrozen) = context
    let entry = state.withLock { state -> Entry? in
      if isFrozen { return past[key(question, origin, counts: false)] }
      let key = key(question, origin)
      let values = state.unused.indices.filter { state.unused[$0].kind == .value }
      let index =
        values.first { state.unused[$0].call == key } ?? values.first { state.unused[$0].call?.means(key) == true }
      return index.map { state.unused.remove(at: $0) }
    }
    if entry == nil, !isFrozen { depart("the recording has no value for \"\(question)\"") }
    // An older recorded value is better than today's, which differs in each run.
    return (entry ?? entries.last { $0.kind == .value && $0.string(4) == question })
      .flatMap { decoding("The value of \"\(question)\"", V.self, $0) }
  }

  func stream<E: Codable & Sendable>(_ name: String, _ codes: Codes) -> Observable<E> {
    .create { [self] observer in
      let receive: @Sendable (Entry?) -> Void = { [self] entry in
        guard let entry else { return }
        switch entry.kind {
        case .failed: observer.onError(codes.error(entry))
        case .completed: observer.onCompleted()
        default: if let element = decoding("An element of \"\(name)\"", E.self, entry) { observer.onNext(element) }
        }
      }
      let origin = context.origin
      let openings = state.withLock { state -> [Entry] in
        let known = past[key(name, origin, counts: false)]
        let stream = Listener(key: key(name, origin), isCall: false, origin: origin, receive: receive)
        let isOpening = { (entry: Entry) in entry.kind == .opening && entry.call?.means(stream.key) == true }
        defer { state.unused.removeAll(where: isOpening) }
        // The newest listener comes first. Older ones with the same key may have been disposed.
        state.listeners.insert(stream, at: 0)
        return known.map { [$0] } ?? state.unused.filter(isOpening)
      }
      for opening in openings { receive(opening) }
      return Disposables.create()
    }
  }

  /// Answers the call that the line means, or sends an element or the end of a stream. Returns false if there is none.
  func deliver(_ entry: Entry) -> Bool {
    guard let key = entry.call else { return true }
    let isCall = entry.kind == .answer || entry.kind == .error
    let listener = state.withLock { state in
      state.index(of: key, isCall: isCall).map { isCall ? state.listeners.remove(at: $0) : state.listeners[$0] }
    }
    guard let listener else { return false }
    Taps.$origin.withValue(isCall ? Taps.origin : listener.origin) { listener.receive(entry) }
    return true
  }

  // MARK: The end

  /// Ends the calls that wait, and releases the models, which retain this object. A call that was open in the recording too, or whose
  /// action or view model has ended, is no departure.
  func end() {
    let models = state.withLock { $0.models }
    let listeners = state.withLock { state in
      defer { (state.isOver, state.listeners, state.models) = (true, [], [:]) }
      return state.listeners
    }
    let open = entries.filter { $0.kind == .open }.compactMap(\.call)
    let ended = Set(entries.filter { $0.kind == .end }.map(\.model))
    for call in listeners where call.isCall {
      let hasEnded = call.origin.flatMap { models[$0.model]?.hasEnded($0.action) } ?? false
      if !hasEnded, !ended.contains(call.key.model), !open.contains(where: { $0.means(call.key) }) {
        depart("the recording has no answer to \"\(call.key.question)\"")
      }
      call.receive(nil)
    }
  }
}
