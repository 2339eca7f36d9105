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
final class Player: RecordingSession {
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
    var hasPlayed = false
    /// The entry that is being played, or the last one that has been played. Nil before that.
    var step: Int?
    /// What entries have needed, and no timer has brought. A later entry that needs the same gives up after one timer, because an interval
    /// never ends.
    var givenUp: Set<String> = []
    /// The entry up to which the states are those of the recording; nil once they have departed.
    var same: Int? = 0
    /// The entries so far with the states that the view models have had. Nil unless the run is drawn.
    var picture: Picture?
    /// The recordings that begin at the cuts, with the states of the test.
    var parts: [[Entry]] = []
    /// The entries whose actions have been cancelled.
    fileprivate var cancellations: Set<Int> = []
    fileprivate(set) var departures: [String] = []
    /// The numbers of entries that the test has met, that it has missed, and that are of view models that it hasn't made.
    fileprivate(set) var met = 0, missed = 0, elsewhere = 0
    /// Why the test cannot have reproduced anything.
    fileprivate(set) var faults: [String] = []
    /// Whether the recording begins without the state of a view model of the test.
    var beginsInTheMiddle = false
  }

  let codes = Codes()
  let entries: [Entry]
  /// The number of entries before the `begin` entry. Zero if the recording has none.
  let begin: Int
  /// Whether a view model's own input waits for its mark. It doesn't if the recording has no marks.
  let holds: Bool
  /// The answers and readings of unfinished actions before the recording begins.
  private let past: [CallKey: Entry]
  /// The counts from which calls are numbered in a recording that begins later, because their effects may have asked before.
  private let firsts: [CallKey: Int]
  /// The actions of which the recording says when their timers fire.
  let timed: Set<[Int]>
  private let scheduler: ObjectIdentifier
  let state: Lock<State>

  init(_ entries: [Entry], on scheduler: any Scheduler & AnyObject, _ picture: Picture?) {
    (self.entries, self.scheduler) = (entries, ObjectIdentifier(scheduler))
    let known: Set<Entry.Kind> = [.answer, .error, .value, .opening]
    let isHead = { [.model, .again, .latest, .quiet, .element, .resume, .pause].contains($0) || known.contains($0) }
    // Entries of other kinds before the `begin` entry would not be played.
    let head = entries.prefix { isHead($0.kind) }.count
    begin = entries.dropFirst(head).first?.kind == .begin ? head : 0
    holds = entries.contains(where: \.isMark)
    timed = Set(entries.filter { $0.kind == .timer }.map { [$0.model, $0.action ?? 0] })
    var (past, firsts) = ([CallKey: Entry](), [CallKey: Int]())
    for (index, entry) in entries.enumerated() {
      guard let call = entry.call, call.action != nil else { continue }
      if index < begin, known.contains(entry.kind) {
        past[call.first] = entry
      } else if begin > 0 {
        firsts[call.first] = min(firsts[call.first] ?? .max, call.count)
      }
    }
    (self.past, self.firsts) = (past, firsts)
    let unused = entries[begin...].filter { $0.kind == .value || $0.kind == .opening }
    state = Lock(State(unused: unused, picture: picture))
  }

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

  /// The value or the error of an entry.
  private func result<Value: Codable & Sendable>(
    _ name: String, _ type: Value.Type, _ entry: Entry
  ) -> Result<Value, any Error> {
    do {
      let isError = entry.kind == .error || entry.kind == .failed
      return isError ? .failure(try codes.error(entry)) : .success(try entry.value(type))
    } catch {
      fault("\(name) cannot be decoded, or was not recorded")
      return .failure(error)
    }
  }

  // MARK: View models

  func make<A: Codable & Sendable, S, M: RxViewModel<A, S>>(
    _ name: String, _ make: () throws -> M
  ) rethrows -> M {
    let tap = PlayerTap<A, S>(self, index(ofNext: name))
    let model = try tap.tapping(make)
    tap.viewModel = model
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

  // MARK: Cancellations

  /// The requests to cancel that come while a view model handles the input that it takes now.
  func requests(of model: Int) -> [Int] {
    // An input without an entry of its own has none.
    guard let step = state.withLock({ $0.step }), entries[step].model == model, entries[step].isTaken else { return [] }
    let behind = (max(step + 1, begin)..<entries.count).prefix { entries[$0].model != model || !entries[$0].isTaken }
    return behind.filter { entries[$0].model == model && entries[$0].kind == .cancel }
  }

  /// Whether the actions of the entry have not been cancelled yet. From now on, they have.
  func takeCancellation(_ index: Int) -> Bool { state.withLock { $0.cancellations.insert(index).inserted } }

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

  func answer<V: Codable & Sendable>(
    to question: String, isolation: isolated (any Actor)?, _ service: () async throws -> V
  ) async throws -> V {
    let (origin, isFrozen) = context
    return try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<V, any Error>) in
      let receive: @Sendable (Entry?) -> Void = { [self] entry in
        guard let entry else { return continuation.resume(throwing: CancellationError()) }
        continuation.resume(with: result("The answer to \"\(question)\"", V.self, entry))
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

  func value<V: Codable & Sendable>(of question: String, _ read: () throws -> V) rethrows -> V {
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
    let recorded = entry ?? entries.last { $0.kind == .value && $0.string(4) == question }
    let value = recorded.flatMap { try? result("The value of \"\(question)\"", V.self, $0).get() }
    return try value ?? read()
  }

  func stream<E: Codable & Sendable>(_ name: String, _ source: Observable<E>) -> Observable<E> {
    .create { [self] observer in
      let receive: @Sendable (Entry?) -> Void = { [self] entry in
        guard let entry, entry.kind != .completed else { return observer.onCompleted() }
        switch result("An element of \"\(name)\"", E.self, entry) {
        case .success(let element): observer.onNext(element)
        case .failure(let error): if entry.kind == .failed { observer.onError(error) }
        }
      }
      let origin = context.origin
      let openings = state.withLock { state -> [Entry] in
        // A stream that is subscribed to again sends its newest element of that time.
        let known = origin?.counts[name] == nil ? past[key(name, origin, counts: false)] : nil
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
      let kin = state.listeners.indices.filter { state.listeners[$0].isCall == isCall }
      let same = kin.first { state.listeners[$0].key == key } ?? kin.first { key.means(state.listeners[$0].key) }
      return same.map { isCall ? state.listeners.remove(at: $0) : state.listeners[$0] }
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
