import RxViewModel
import RxViewModelRecording

/// Takes the place of services, clocks and streams while a test plays a recording: asks the recording what they have returned.
///
/// A call waits as a listener until its answer is played, and a subscription until it is disposed. A reading, and the first element of a
/// stream, come immediately, from the entries that aren't played: from `unused` or, while effects begin again, from `pastAnswers`.
final class ReplaySession: RecordingSession {
  /// A call that waits for its answer, or a subscription.
  fileprivate struct Listener {
    let key: CallKey
    let isCall: Bool
    let effect: PlayedEffect?
    /// Nil ends a call.
    let receive: @Sendable (Entry?) -> Void
  }

  /// How well the test follows the recording.
  struct Tally {
    fileprivate(set) var departures: [String] = []
    /// The numbers of entries that the test has met, that it has missed, and that are of view models that it hasn't made.
    fileprivate(set) var met = 0, missed = 0, elsewhere = 0
    /// Why the test cannot have reproduced anything.
    fileprivate(set) var unusable: [String] = []
    /// Whether the recording begins without the state of a view model of the test.
    var beginsInTheMiddle = false
  }

  struct State {
    fileprivate var models: [Int: any PlayedModel] = [:]
    /// How many view models the body has made, by name.
    fileprivate var made: [String: Int] = [:]
    fileprivate var listeners: [Listener] = []
    /// The count of the newest call, by the key of the first one.
    fileprivate var counts: [CallKey: Int]
    /// The readings and the first elements of streams that have not been used.
    fileprivate var unused: [Entry]
    /// The entries whose actions have been cancelled.
    fileprivate var cancelled: Set<Int> = []
    /// Why the test tests nothing.
    fileprivate var mistake: String?
    fileprivate var isOver = false
    /// The entry that is being played, or the last one that has been played. Nil before that.
    var step: Int?
    var tally = Tally()
  }

  let codes = Codes()
  let entries: [Entry]
  /// The number of entries before the `begin` entry. Zero if the recording has none.
  let headCount: Int
  var head: ArraySlice<Entry> { entries[..<headCount] }
  /// Whether a view model's own input waits for its mark. It doesn't if the recording has no marks.
  let hasMarks: Bool
  /// What effects that begin again get immediately, by the key of the first call: the newest answer, reading or first element of the head.
  /// Without the questions that the recording answers later.
  private let pastAnswers: [CallKey: Entry]
  /// The actions of which the recording says when their timers fire.
  let timedActions: Set<[Int]>
  private let scheduler: ObjectIdentifier
  let state: Lock<State>

  init(_ entries: [Entry], on scheduler: any Scheduler & AnyObject) {
    (self.entries, self.scheduler) = (entries, ObjectIdentifier(scheduler))
    let known: Set<Entry.Kind> = [.answer, .error, .value, .opening]
    let isHead = { [.model, .again, .latest, .quiet, .element, .resume, .pause].contains($0) || known.contains($0) }
    // Entries of other kinds before the `begin` entry would not be played.
    let count = entries.prefix { isHead($0.kind) }.count
    headCount = entries.dropFirst(count).first?.kind == .begin ? count : 0
    hasMarks = entries.contains(where: \.isMark)
    timedActions = Set(entries.filter { $0.kind == .timer }.map { [$0.model, $0.action ?? 0] })
    var past: [CallKey: Entry] = [:]
    for entry in entries[..<headCount] where known.contains(entry.kind) {
      if let call = entry.call, call.action != nil { past[call.first] = entry }
    }
    let counts = past.compactMapValues { $0.call?.count }
    for entry in entries[headCount...] where [.answer, .error, .open].contains(entry.kind) {
      if let call = entry.call { past[call.first] = nil }
    }
    pastAnswers = past
    let unused = entries[headCount...].filter { $0.kind == .value || $0.isOpening }
    state = Lock(State(counts: counts, unused: unused))
  }

  // MARK: View models

  func make<A: Codable & Sendable, S, M: RxViewModel<A, S>>(_ name: String, _ make: () throws -> M) rethrows -> M {
    let tap = ReplayTap<A, S>(self, index(ofNext: name))
    // Its sources ask while it is made.
    state.withLock { if !$0.isOver { $0.models[tap.model] = tap } }
    let model = try tap.tapping(make)
    tap.viewModel = model
    if ObjectIdentifier(model.scheduler as AnyObject) != scheduler {
      noteMistake("The body has made \(type(of: model)) without run.scheduler")
    }
    return model
  }

  /// The number of the next view model with this name. One that the recording doesn't have gets a number of its own.
  private func index(ofNext name: String) -> Int {
    let same = entries.filter { $0.kind == .model && $0.string(3) == name }
    return state.withLock { state in
      let count = state.made[name, default: 0]
      state.made[name] = count + 1
      if count < same.count { return same[count].model }
      state.tally.departures.append("the recording has no view model \"\(name)\" with the number \(count + 1)")
      return 1_000_000 + state.models.count
    }
  }

  func model(_ index: Int) -> (any PlayedModel)? { state.withLock { $0.models[index] } }

  var models: [any PlayedModel] { state.withLock { $0.models }.values.sorted { $0.model < $1.model } }

  // MARK: Calls, readings and streams

  private typealias Context = (effect: PlayedEffect?, isFrozen: Bool)

  /// The current effect, and whether its view model begins its actions again.
  private var context: Context {
    let effect = Taps.origin as? PlayedEffect
    return (effect, effect.flatMap { model($0.model) }?.isFrozen == true)
  }

  /// The key of the next call with this question or, if the effect begins again, what the head of the recording has for it.
  private func ask(
    _ question: String, _ context: Context, isStream: Bool = false, _ state: inout State
  ) -> (key: CallKey, known: Entry?) {
    let effect = context.effect
    var key = CallKey(
      model: effect?.model ?? Entry.noModel, action: effect.flatMap { $0.action == 0 ? nil : $0.action },
      question: question)
    if key.action == nil { return (key, nil) }
    let (first, last) = (key, state.counts[key] ?? 0)
    key.count = last &+ 1
    if let known = pastAnswers[first], let call = known.call {
      // A timer may make the subscription whose event was waiting where the recording begins.
      let isWaited =
        isStream && call.count == last && !state.listeners.contains { $0.key == call }
        && !state.unused.contains { $0.kind == .opening && $0.call == key }
      if context.isFrozen || isWaited { return (call, known) }
    }
    state.counts[first] = key.count
    return (key, nil)
  }

  /// The index of the first element whose call fits best, and not worse than `worst`.
  private func bestFit<Element>(
    of key: CallKey, in all: [Element], worst: CallKey.Fit = .sameEffect, _ call: (Element) -> CallKey?
  ) -> Int? {
    let fits = all.indices.compactMap { index in call(all[index])?.fit(key).map { (index, $0) } }
    return fits.filter { $0.1 <= worst }.min { $0.1 < $1.1 }?.0
  }

  func answer<V: Codable & Sendable>(
    to question: String, isolation: isolated (any Actor)?, _ service: () async throws -> V
  ) async throws -> V {
    let context = context
    return try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<V, any Error>) in
      let receive: @Sendable (Entry?) -> Void = { [self] entry in
        guard let entry else { return continuation.resume(throwing: CancellationError()) }
        continuation.resume(with: result("The answer to \"\(question)\"", V.self, entry))
      }
      let (isOver, known) = state.withLock { state -> (Bool, Entry?) in
        let (key, known) = ask(question, context, &state)
        if known == nil, !state.isOver {
          state.listeners.append(Listener(key: key, isCall: true, effect: context.effect, receive: receive))
        }
        return (state.isOver, known)
      }
      if isOver || known != nil { receive(known) }
    }
  }

  func value<V: Codable & Sendable>(of question: String, _ read: () throws -> V) rethrows -> V {
    let context = context
    let entry = state.withLock { state -> Entry? in
      let (key, known) = ask(question, context, &state)
      if context.isFrozen { return known }
      let index = bestFit(of: key, in: state.unused) { $0.kind == .value ? $0.call : nil }
      return index.map { state.unused.remove(at: $0) }
    }
    if entry == nil, !context.isFrozen { depart("the recording has no value for \"\(question)\"") }
    // An older recorded value is better than today's, which differs in each run.
    let recorded = entry ?? entries.last { $0.kind == .value && $0.string(4) == question }
    let value = recorded.flatMap { try? result("The value of \"\(question)\"", V.self, $0).get() }
    return try value ?? read()
  }

  func stream<E: Codable & Sendable>(_ name: String, _ source: Observable<E>) -> Observable<E> {
    .create { [self] observer in
      let receive: @Sendable (Entry?) -> Void = { [self] entry in
        guard let entry, !entry.isCompletion else { return observer.onCompleted() }
        switch result("An element of \"\(name)\"", E.self, entry) {
        case .success(let element): observer.onNext(element)
        case .failure(let error): if entry.isError { observer.onError(error) }
        }
      }
      let context = context
      let openings = state.withLock { state -> [Entry] in
        let (key, known) = ask(name, context, isStream: true, &state)
        // The newest listener comes first. Older ones may have been disposed.
        state.listeners.insert(Listener(key: key, isCall: false, effect: context.effect, receive: receive), at: 0)
        if let known { return [known] }
        // Another subscription's first element is not this one's.
        let isOpening = { (entry: Entry) in
          entry.isOpening && entry.call?.fit(key).map { $0 <= .sameQuestion } == true
        }
        defer { state.unused.removeAll(where: isOpening) }
        return state.unused.filter(isOpening)
      }
      for opening in openings { receive(opening) }
      return Disposables.create()
    }
  }

  /// The value or the error of an entry.
  private func result<V: Codable & Sendable>(_ name: String, _ type: V.Type, _ entry: Entry) -> Result<V, any Error> {
    do {
      return entry.isError ? .failure(try codes.error(entry)) : .success(try entry.value(type))
    } catch {
      noteUnusable("\(name) cannot be decoded, or was not recorded")
      return .failure(error)
    }
  }

  /// Answers the call that the line means, or sends an element or the end of a stream. Returns false if there is none.
  ///
  /// - Parameter isLast: Whether no timer will bring that call: another one with the question in the effect gets the answer then.
  func deliver(_ entry: Entry, isLast: Bool) -> Bool {
    guard let key = entry.call else { return false }
    let isCall = entry.isAnswer
    let listener = state.withLock { state in
      // What the effect asks from now on comes after this call.
      if isLast { state.counts[key.first] = max(state.counts[key.first] ?? 0, key.count) }
      let index = bestFit(of: key, in: state.listeners, worst: isLast ? .sameEffect : .sameQuestion) {
        $0.isCall == isCall ? $0.key : nil
      }
      return index.map { isCall ? state.listeners.remove(at: $0) : state.listeners[$0] }
    }
    guard let listener else { return false }
    Taps.$origin.withValue(isCall ? Taps.origin : listener.effect) { listener.receive(entry) }
    return true
  }

  // MARK: Cancellations

  /// The entries of the requests to cancel that come while a view model handles the input that it takes now.
  func cancelEntries(of model: Int) -> [Int] {
    // An input without an entry of its own has none.
    guard let step = state.withLock({ $0.step }), entries[step].model == model, entries[step].isTaken else { return [] }
    let rest = (max(step + 1, headCount)..<entries.count).prefix { entries[$0].model != model || !entries[$0].isTaken }
    return rest.filter { entries[$0].model == model && entries[$0].kind == .cancel }
  }

  /// Whether the actions of the entry have not been cancelled yet. From now on, they have.
  func takeCancellation(_ index: Int) -> Bool { state.withLock { $0.cancelled.insert(index).inserted } }

  // MARK: The tally

  /// Notes a departure, by which the test misses an entry.
  ///
  /// - Parameter isElsewhere: Whether it is an entry of a view model that the test has not made.
  func depart(_ text: String, isElsewhere: Bool = false) {
    state.withLock { state in
      state.tally.departures.append(text)
      if isElsewhere { state.tally.elsewhere += 1 } else { state.tally.missed += 1 }
    }
  }

  /// Notes that the test has met an entry.
  func meet() { state.withLock { $0.tally.met += 1 } }

  /// Notes a departure of the states, which the report names before the others.
  func departInState(_ text: String) { state.withLock { $0.tally.departures.insert(text, at: 0) } }

  func noteMistake(_ text: String) { state.withLock { $0.mistake = text } }

  /// Notes why the test cannot have reproduced anything.
  func noteUnusable(_ text: String) { state.withLock { $0.tally.unusable.append(text) } }

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
      let hasEnded = call.effect.flatMap { models[$0.model]?.hasEnded($0.action) } ?? false
      if !hasEnded, !ended.contains(call.key.model), !open.contains(where: { $0.fit(call.key) != nil }) {
        depart("the recording has no answer to \"\(call.key.question)\"")
      }
      call.receive(nil)
    }
  }
}
