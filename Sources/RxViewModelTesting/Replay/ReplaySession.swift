import RxViewModel
import RxViewModelRecording

/// Takes the place of services, clocks and streams while a test plays a recording. What it guards is a ``ReplayCalls``, the view models of
/// the test, and the ``Tally``.
final class ReplaySession: RecordingSession {
  /// How well the test follows the recording.
  struct Tally {
    fileprivate(set) var departures: [String] = []
    /// The numbers of entries that the test has met, that it has missed, and that are of view models that it hasn't made.
    fileprivate(set) var met = 0, missed = 0, elsewhere = 0
    /// Why the test cannot have reproduced anything.
    fileprivate(set) var unusable: String?
    /// Whether the recording begins without the state of a view model of the test.
    var beginsInTheMiddle = false
  }

  /// The phases of a view model, in their order. Before the last one, no mapper is called, and its state stays.
  enum Phase {
    /// The actions that were unfinished where the recording begins do so again, and repeat events that the recorded state has already.
    case repeating
    /// The elements that their operators held, and ends of streams, are sent. Their events have marks.
    case sendingHeld
    case playing
  }

  struct State {
    fileprivate var models: [Int: any PlayedModel] = [:]
    /// How many view models the body has made, by name.
    fileprivate var made: [String: Int] = [:]
    fileprivate var calls: ReplayCalls
    /// The `cancel` entries that have been played.
    fileprivate var cancellations: Set<Int> = []
    /// Why the test tests nothing.
    fileprivate var mistake: String?
    fileprivate var isOver = false
    /// The phase of the view models of the head. All others are playing.
    var phase = Phase.repeating
    /// The entry that is being played, or the last one that has been played. Nil before that.
    var step: Int?
    var tally = Tally()
  }

  let codes = Codes()
  let entries: [Entry]
  /// The number of entries before the `begin` entry. Zero if the recording has none.
  let headCount: Int
  var head: ArraySlice<Entry> { entries[..<headCount] }
  /// The view models of the head.
  let cutModels: Set<Int>
  /// Whether a view model's own input waits for its mark. It doesn't if the recording has no marks.
  let hasMarks: Bool
  /// The actions of which the recording says when their timers fire.
  let timedActions: Set<[Int]>
  private let scheduler: ObjectIdentifier
  let state: Lock<State>

  init(_ entries: [Entry], on scheduler: any Scheduler & AnyObject) {
    (self.entries, self.scheduler) = (entries, ObjectIdentifier(scheduler))
    let headKinds: Set<Entry.Kind> = [
      .model, .again, .latest, .quiet, .element, .resume, .pause, .answer, .error, .value, .opening,
      .completed, .failed, .closing,
    ]
    // Entries of other kinds before the `begin` entry would not be played.
    let count = entries.prefix { headKinds.contains($0.kind) }.count
    headCount = entries.dropFirst(count).first?.kind == .begin ? count : 0
    cutModels = Set(entries[..<headCount].filter { $0.kind == .model }.map(\.model))
    hasMarks = entries.contains(where: \.isMark)
    timedActions = Set(entries.filter { $0.kind == .timer }.map { [$0.model, $0.action ?? 0] })
    state = Lock(State(calls: ReplayCalls(head: entries[..<headCount], played: entries[headCount...])))
  }

  // MARK: View models

  func make<A: Codable & Sendable, S, M: RxViewModel<A, S>>(_ name: String, _ make: () throws -> M) rethrows -> M {
    let tap = ReplayTap<A, S>(self, number(ofNext: name))
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
  private func number(ofNext name: String) -> Int {
    let same = entries.filter { $0.kind == .model && $0.string(3) == name }
    return state.withLock { state in
      let count = state.made[name, default: 0]
      state.made[name] = count + 1
      if count < same.count { return same[count].model }
      state.tally.departures.append("the recording has no view model \"\(name)\" with the number \(count + 1)")
      return 1_000_000 + state.models.count
    }
  }

  func model(_ number: Int) -> (any PlayedModel)? { state.withLock { $0.models[number] } }

  var models: [any PlayedModel] { state.withLock { $0.models }.values.sorted { $0.model < $1.model } }

  func phase(of model: Int) -> Phase { cutModels.contains(model) ? state.withLock { $0.phase } : .playing }

  // MARK: Calls, readings and streams

  private var caller: ReplayCalls.Caller {
    let effect = Taps.origin as? PlayedEffect
    return (effect, effect.map { phase(of: $0.model) != .playing } ?? false)
  }

  func answer<V: Codable & Sendable>(
    to question: String, isolation: isolated (any Actor)?, _ service: () async throws -> V
  ) async throws -> V {
    let caller = caller
    let task = EffectTasks.current
    task?.beginWaiting()
    defer { task?.endWaiting() }
    return try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<V, any Error>) in
      let receive: @Sendable (Entry?) -> Void = { [self] entry in
        guard let entry else { return continuation.resume(throwing: CancellationError()) }
        continuation.resume(with: result("The answer to \"\(question)\"", V.self, entry))
      }
      let (isOver, known) = state.withLock { state in
        (state.isOver, state.isOver ? nil : state.calls.ask(question, caller, receive))
      }
      if isOver || known != nil { receive(known) }
    }
  }

  func value<V: Codable & Sendable>(of question: String, _ read: () throws -> V) rethrows -> V {
    let caller = caller
    let entry = state.withLock { $0.calls.read(question, caller) }
    if entry == nil, !caller.isFrozen { depart("the recording has no value for \"\(question)\"") }
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
      let caller = caller
      let openings = state.withLock { $0.isOver ? [] : $0.calls.subscribe(name, caller, receive) }
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
  /// - Parameter isLast: Whether no timer will bring that call.
  func deliver(_ entry: Entry, isLast: Bool) -> Bool {
    guard let listener = state.withLock({ $0.calls.listener(to: entry, isLast: isLast) }) else { return false }
    Taps.$origin.withValue(listener.effect) { listener.receive(entry) }
    return true
  }

  // MARK: Cancellations

  /// The entries of the requests to cancel that come while a view model handles the input that it takes now.
  func cancelEntries(of model: Int) -> [Int] {
    // An input without an entry of its own has none.
    guard let step = state.withLock({ $0.step }), entries[step].model == model, entries[step].isTaken else { return [] }
    let rest = (step + 1..<entries.count).prefix { entries[$0].model != model || !entries[$0].isTaken }
    return rest.filter { entries[$0].model == model && entries[$0].kind == .cancel }
  }

  /// Whether the `cancel` entry has not been played yet. From now on, it has.
  func takeCancellation(_ index: Int) -> Bool { state.withLock { $0.cancellations.insert(index).inserted } }

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
  func noteUnusable(_ text: String) { state.withLock { $0.tally.unusable = $0.tally.unusable ?? text } }

  /// Why the test tests nothing, once it has made its view models. Nil if it may test something.
  var mistake: String? {
    let models = entries.filter { $0.kind == .model }
    return state.withLock { state in
      let isSome = models.isEmpty || models.contains { state.made[$0.string(3) ?? ""] != nil }
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
    let (models, waiting) = state.withLock { state in
      defer { (state.isOver, state.models) = (true, [:]) }
      return (state.models, state.calls.end())
    }
    let open = entries.filter { $0.kind == .open }.compactMap(\.call)
    let ended = Set(entries.filter { $0.kind == .end }.map(\.model))
    for call in waiting {
      let hasEnded = call.effect.flatMap { models[$0.model]?.hasEnded($0.action) } ?? false
      if !hasEnded, !ended.contains(call.key.model), !open.contains(where: { $0.fit(call.key) != nil }) {
        depart("the recording has no answer to \"\(call.key.question)\"")
      }
      call.receive(nil)
    }
  }
}
