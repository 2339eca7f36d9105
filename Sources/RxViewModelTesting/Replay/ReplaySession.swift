import RxViewModel
import RxViewModelRecording

/// Takes the place of services, clocks and streams while a test plays a recording. What it guards is a ``ReplayCalls``, the view models of
/// the test, and the ``Tally``.
final class ReplaySession: RecordingSession {
  /// How well the test follows the recording.
  struct Tally {
    fileprivate(set) var departures: [String] = []
    /// Where the states begin to differ.
    fileprivate(set) var difference: String?
    /// The numbers of entries that the test has met, that it has missed, and that are of view models that it hasn't made.
    fileprivate(set) var met = 0, missed = 0, elsewhere = 0
    /// Why the test cannot have reproduced anything.
    fileprivate(set) var unusable: String?
    /// Why the recording can't be played to a view model of the test.
    fileprivate(set) var unplayable: String?
  }

  struct State {
    fileprivate var models: [Int: any PlayedModel] = [:]
    /// How many view models the body has made, by name.
    fileprivate var made: [String: Int] = [:]
    var calls: ReplayCalls
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
  /// The entries of the view models before the `begin` entry.
  private let headModels: [Int: Entry]
  /// Whether the recording has marks.
  let hasMarks: Bool
  /// The actions of which the recording says when their timers fire.
  let timedActions: Set<[Int]>
  private let scheduler: ObjectIdentifier
  let state: Lock<State>

  init(_ entries: [Entry], on scheduler: any Scheduler & AnyObject) {
    (self.entries, self.scheduler) = (entries, ObjectIdentifier(scheduler))
    let headKinds: Set<Entry.Kind> = [.model, .action, .own, .value, .answer, .error, .resume, .pause]
    let count = entries.prefix { headKinds.contains($0.kind) }.count
    // Entries of other kinds before the `begin` entry would not be played.
    headCount = entries.dropFirst(count).first?.kind == .begin ? count : 0
    headModels = Dictionary(entries[..<headCount].filter { $0.kind == .model }.map { ($0.model, $0) }) { $1 }
    hasMarks = entries.contains(where: \.isMark)
    timedActions = Set(entries.filter { $0.kind == .timer }.map { [$0.model, $0.action ?? 0] })
    state = Lock(State(calls: ReplayCalls(entries, headCount: headCount, Set(headModels.keys))))
  }

  // MARK: View models

  func make<A: Codable & Sendable, S, M: RxViewModel<A, S>>(_ name: String, _ make: () throws -> M) rethrows -> M {
    // The number of view models with these types that have been made in front of it, and its tap.
    let made = Lock<(others: Int, tap: ReplayTap<A, S>?)>((0, nil))
    let maker = TapMaker { [self] action, state in
      guard action == A.self, state == S.self else { return nil }
      return made.withLock { made in
        defer { made.others += 1 }
        if made.tap != nil || made.others < recorded(name).next?.number(7) ?? 0 { return nil }
        // Its sources ask while it is made.
        made.tap = addModel(name)
        return made.tap
      }
    }
    let model: M
    do {
      model = try maker.tapping(from: PlayedEffect(model: Entry.noModel, number: 0), make)
    } catch {
      // The recorder has forgotten the view model, too.
      if let tap = made.withLock({ $0.tap }) {
        state.withLock { ($0.models[tap.model], $0.made[name]) = (nil, ($0.made[name] ?? 1) - 1) }
      }
      throw error
    }
    if let tap = made.withLock({ $0.tap }) {
      tap.viewModel = model
      noteUnrested(tap.model)
    }
    if ObjectIdentifier(model.scheduler as AnyObject) != scheduler {
      noteMistake("The body has made \(type(of: model)) without run.scheduler")
    }
    return model
  }

  /// The number of view models of this name that the test has made, and the entry of the next one. Nil if the recording doesn't have it.
  private func recorded(_ name: String) -> (count: Int, next: Entry?) {
    let same = entries.filter { $0.kind == .model && $0.name == name }
    let count = state.withLock { $0.made[name] ?? 0 }
    return (count, count < same.count ? same[count] : nil)
  }

  /// Adds the next view model with this name. One that the recording doesn't have gets a number of its own.
  private func addModel<A: Codable & Sendable, S: Sendable>(_ name: String) -> ReplayTap<A, S> {
    let (count, next) = recorded(name)
    return state.withLock { state in
      state.made[name] = count + 1
      if next == nil {
        state.tally.departures.append("the recording has no view model \"\(name)\" with the number \(count + 1)")
      }
      let model = next?.model ?? (entries.map(\.model).max() ?? 0) + 1 + state.models.count
      let tap = ReplayTap<A, S>(self, model, next)
      if !state.isOver { state.models[tap.model] = tap }
      return tap
    }
  }

  func model(_ number: Int) -> (any PlayedModel)? { state.withLock { $0.models[number] } }

  var models: [any PlayedModel] { state.withLock { $0.models }.values.sorted { $0.model < $1.model } }

  // MARK: The boundary

  /// The effect, or the turn, that makes a call. Nil if it is unknown.
  private var caller: PlayedEffect? { Taps.origin as? PlayedEffect }

  func answer<V: Codable & Sendable>(
    to question: String, isolation: isolated (any Actor)?, _ service: () async throws -> V
  ) async throws -> V {
    let caller = caller
    let endWaiting = EffectTasks.current?.beginWaiting(for: nil)
    defer { endWaiting?() }
    return try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<V, any Error>) in
      let receive: @Sendable (Entry?) -> Void = { [self] entry in
        guard let entry else { return continuation.resume(throwing: CancellationError()) }
        continuation.resume(with: result("The answer to \"\(question)\"", V.self, entry))
      }
      let (isOver, known) = state.withLock { state in
        (state.isOver, state.isOver ? nil : state.calls.ask(question, caller, receive))
      }
      if known != nil { meet() }
      if isOver || known != nil { receive(known) }
    }
  }

  func value<V: Codable & Sendable>(of question: String, _ read: () throws -> V) rethrows -> V {
    let caller = caller
    let entry = state.withLock { $0.calls.read(question, caller) }
    // What a view model has read before the recording begins is in its state.
    let isNoted = headCount == 0 || state.withLock { $0.step != nil }
    if entry == nil, isNoted { depart("the recording has no value for \"\(question)\"") }
    // An older recorded value is better than today's, which differs in each run.
    let recorded = entry ?? entries.last { $0.kind == .value && $0.call?.question == question }
    let value = recorded.flatMap { try? result("The value of \"\(question)\"", V.self, $0).get() }
    return try value ?? read()
  }

  func stream<E: Codable & Sendable>(_ name: String, _ source: Observable<E>) -> Observable<E> {
    .create { [self] observer in
      let receive: @Sendable (Entry?) -> Void = { [self] entry in
        guard let entry, entry.kind != .completed else { return observer.onCompleted() }
        switch result("An element of \"\(name)\"", E.self, entry) {
        case .success(let element): observer.onNext(element)
        case .failure(let error): if entry.kind == .error { observer.onError(error) }
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
      return entry.kind == .error ? .failure(try codes.error(entry)) : .success(try entry.value(type))
    } catch {
      noteUnusable("\(name) cannot be decoded, or was not recorded")
      return .failure(error)
    }
  }

  /// Answers the call that the line means, or sends an element or the end of a stream. Returns false if there is none.
  func deliver(_ entry: Entry) -> Bool {
    guard let listener = state.withLock({ $0.calls.listener(to: entry) }) else { return false }
    Taps.$origin.withValue(listener.effect) { listener.receive(entry) }
    return true
  }

  /// The requests to cancel that come while a view model is at work on the input with this index.
  func cancellations(after index: Int) -> [Entry] {
    let model = entries[index].model
    let rest = entries[(index + 1)...].prefix { $0.model != model || !$0.isTaken }
    return rest.filter { $0.model == model && $0.kind == .cancel && $0.number(5) != nil }
  }

  // MARK: The beginning

  /// Whether the view model stands before the `begin` entry without a state: it had not rested since the entries behind that.
  func isUnrested(_ model: Int) -> Bool { headModels[model]?.isEmpty ?? false }

  /// Whether what an effect of the view model sends waits: for its mark, or because it repeats what stands before `begin`.
  func letsWait(_ model: Int) -> Bool { hasMarks || headModels[model] != nil && state.withLock { $0.step == nil } }

  /// From now on, the entries behind `begin` are played.
  func beginPlaying() {
    state.withLock { $0.calls.dropHead() }
    for number in headModels.keys { model(number)?.beginPlaying() }
  }

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
  func departInState(_ text: String) {
    state.withLock { state in
      state.tally.departures.insert(text, at: 0)
      state.tally.difference = text
    }
  }

  /// Notes that the recording can't be played to a view model, which had not rested where it begins.
  private func noteUnrested(_ model: Int) {
    guard let entry = headModels[model], entry.isEmpty else { return }
    let actions = head.filter { $0.model == model && ($0.kind == .action || $0.kind == .own) }
    let running = actions.map { "\n    \($0.json(Entry.valueIndex)), since \($0.time) ms" }.joined()
    let reason =
      running.isEmpty
      ? "its state is not Codable, or it was working when the recording was read, or a source has not used its last answer"
      : "it has not rested since then, because these actions have not ended:\(running)"
    let way = "Make what never ends a source, or keep more entries with a larger limit"
    let text = "the recording begins without a state of \"\(entry.name)\": \(reason). \(way)"
    state.withLock { state in
      state.tally.unplayable = state.tally.unplayable ?? text
      state.tally.departures.append(text)
    }
  }

  func noteMistake(_ text: String) { state.withLock { $0.mistake = text } }

  /// Notes why the test cannot have reproduced anything.
  func noteUnusable(_ text: String) { state.withLock { $0.tally.unusable = $0.tally.unusable ?? text } }

  /// Why the test tests nothing, once it has made its view models. Nil if it may test something.
  var mistake: String? {
    if entries.isEmpty { return "The recording has no entries" }
    let models = entries.filter { $0.kind == .model }
    return state.withLock { state in
      let isSome = models.isEmpty || models.contains { state.made[$0.name] != nil }
      if isSome || state.mistake != nil { return state.mistake }
      let (recorded, made) = (models.map(\.name), state.made.keys.sorted())
      return "The body has made none of the recorded view models: recorded \(recorded), made \(made)"
    }
  }

  // MARK: The end

  /// Notes the answers without calls, ends the calls without answers, and releases the models, which retain this object.
  ///
  /// An action that has ended may not have asked, or not have waited. A call that was open in the recording, too, or whose view model has
  /// ended there, is no departure.
  func end() {
    let (models, early, waiting) = state.withLock { state in
      defer { (state.isOver, state.models) = (true, [:]) }
      return (state.models, state.calls.early, state.calls.end())
    }
    let hasEnded = { (model: Int, action: Int?) in action.map { models[model]?.hasEnded($0) ?? false } ?? false }
    for entry in early where !hasEnded(entry.model, entry.action) {
      // A screen that the test doesn't make may have subscribed without an effect.
      depart("no effect asked for \(entry.text)", isElsewhere: entry.model == Entry.noModel)
    }
    let open = entries.filter { $0.kind == .open }.compactMap(\.call)
    let ended = Set(entries.filter { $0.kind == .end }.map(\.model))
    for call in waiting {
      let isExpected = hasEnded(call.key.model, call.key.action) || ended.contains(call.key.model)
      if !isExpected, !open.contains(where: { $0.fit(call.key) != nil }) {
        depart("the recording has no answer to \"\(call.key.question)\"")
      }
      call.receive(nil)
    }
  }
}
