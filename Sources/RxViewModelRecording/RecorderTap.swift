import Dispatch
import RxViewModel

/// Notes what one view model takes, and from time to time its state, so that a recording may begin there.
///
/// The engine calls the functions in about the order in which they stand here. An action without an effect that goes on costs one object.
// Sendable: the lock of the log guards the variables.
final class RecorderTap: EngineTap, @unchecked Sendable {
  let model: Int
  private let log: Log
  private let name: String
  private let type: String
  private let skipped: Int
  /// The state in a ``Box``.
  private let unboxed: @Sendable (AnyObject) -> any Sendable
  private let turn: RecordedEffect
  /// The number of entries before the view model was made.
  private(set) var start = 0
  /// Whether the view model has ended, or is not the one that `make` has returned.
  private(set) var isOver = false
  /// The effects of the unfinished actions.
  @exclusivity(unchecked) private var effects: [UInt64: RecordedEffect] = [:]
  @exclusivity(unchecked) private var sources: [UInt64: RecordedEffect] = [:]
  /// The effect of the newest action. It isn't in `effects`, because most actions end before the next one begins.
  @exclusivity(unchecked) private var newest: (id: UInt64, effect: RecordedEffect)?
  /// What has executed the view model's own actions that are accepted and not yet taken.
  @exclusivity(unchecked) private var causes: [UInt64: KeptEntry.Cause] = [:]
  private var screens: Set<UInt64> = []
  @exclusivity(unchecked) private var checkpoints: [Checkpoint] = []
  /// The number of states before the newest input.
  @exclusivity(unchecked) private var states: UInt64 = 0
  /// The newest state while nothing is left to do. The engine has it, too, until it takes the next input.
  @exclusivity(unchecked) private var resting: (any AnyObject & Sendable)?

  init(
    _ log: Log, _ name: String, _ type: Any.Type, skipped: Int, unboxed: @escaping @Sendable (AnyObject) -> any Sendable
  ) {
    (self.log, self.name, self.type, self.skipped, self.unboxed) = (log, name, "\(type)", skipped, unboxed)
    model = log.state.withLock { $0.nextModel() }
    turn = RecordedEffect(log, model: model, action: 0)
  }

  // MARK: The beginning, without a lock

  func open<State: Sendable>(_ initial: State) -> State {
    log.state.withLock { state in
      // `make` has returned another one meanwhile.
      if isOver { return }
      start = state.end
      state.add(self)
      state.append(entry(initial))
    }
    return initial
  }

  func isRecorded(by log: Log?) -> Bool { self.log === log && self.log.state.withLock { _ in !isOver } }

  /// The view model is not the one that `make` has returned.
  func turnOff() {
    log.state.withLock { state in
      isOver = true
      state.remove { $0 === self }
    }
    log.sweep()
  }

  /// The entry of the view model with a state, or without one.
  private func entry(_ state: (any Sendable)?) -> KeptEntry {
    KeptEntry(.model, model: model) { [name, type, skipped] codes in
      [codes.json(ofState: state), Coding.quoted(name), Coding.quoted(type), skipped == 0 ? "null" : "\(skipped)"]
    }
  }

  // MARK: An input, under a lock of the engine

  func accept(_ id: UInt64) {
    guard let effect = log.currentEffect else { return }
    log.state.withLock { _ in
      causes[id] = KeptEntry.Cause(model: effect.model, action: effect.action, place: effect.place)
    }
  }

  func take(_ input: TappedInput, in box: any AnyObject & Sendable, after states: UInt64) {
    log.state.withLock { state in
      (resting, self.states) = (nil, states)
      if isOver { return }
      if case .action(let id, _, _, let batch, let isOver) = input {
        // While actions come one after the other, it doesn't rest between them. A batch stays whole: its first failure ends the rest.
        if batch ?? id == id { makeCheckpointIfDue(box, &state) }
        if isOver { state.append(cancellation(of: [id])) }
      }
      state.append(taken(input, state.end))
    }
  }

  /// Notes the effect or the screen of an input, and returns its entry.
  private func taken(_ input: TappedInput, _ place: Int) -> KeptEntry {
    switch input {
    case .action(let id, let action, let mode, let batch, _):
      let cause = causes.isEmpty ? nil : causes.removeValue(forKey: id)
      var fields: KeptEntry.Fields?
      if mode != nil || batch != nil { fields = { Self.fields(of: action, mode, batch, $0) } }
      let effect = RecordedEffect(
        log, cause == nil ? .action : .own, model: model, action: Int(truncatingIfNeeded: id), value: action,
        cause: cause,
        fields: fields)
      effect.place = place
      if let newest { effects[newest.id] = newest.effect }
      newest = (id, effect)
      return effect
    case .event(let id): return event(of: id)
    // Not redacted, as the lane and the key of a mode: a replay needs to know which ones are the same.
    case .flush(let lane): return KeptEntry(.flush, model: model) { _ in [Coding.quoted(lane)] }
    case .resume(let screen):
      screens.insert(screen)
      return entry(.resume, screen)
    case .pause(let screen):
      screens.remove(screen)
      return entry(.pause, screen)
    }
  }

  private static func fields(
    of action: any Sendable, _ mode: ExecutionMode?, _ batch: UInt64?, _ codes: Codes
  ) -> [String] {
    let mode = mode.flatMap { try? Coding.text(of: TappedMode($0)) }
    return [codes.json(of: action), mode ?? "null", batch.map { "\($0)" } ?? "null"]
  }

  private func entry(_ kind: Entry.Kind, _ screen: UInt64) -> KeptEntry {
    KeptEntry(kind, model: model) { _ in ["\(screen)"] }
  }

  private func event(of id: UInt64) -> KeptEntry {
    known(id)?.isAnswered = false
    return KeptEntry(.event, model: model, number: Int(truncatingIfNeeded: id))
  }

  func cancel(_ ids: [UInt64], isInside: Bool, after states: UInt64?) -> Bool {
    if isInside || ids.isEmpty { return true }
    log.state.withLock { state in
      if !isOver { state.append(cancellation(of: ids, after: resting == nil ? states.map { $0 - self.states } : nil)) }
    }
    return true
  }

  /// - Parameter states: If the view model is at work, the number of its states since its newest input.
  private func cancellation(of ids: [UInt64], after states: UInt64? = nil) -> KeptEntry {
    KeptEntry(.cancel, model: model) { _ in ["\(ids)", states.map { "\($0)" } ?? "null"] }
  }

  // MARK: An effect, without a lock

  func origin(of id: UInt64) -> any WorkOrigin {
    if id == 0 {
      // A turn may also begin without an input: with an end.
      let state = log.state.withLock { _ in resting.take() }
      withExtendedLifetime(state) { log.sweep(most: Log.mostLost) }
      return turn
    }
    return log.state.withLock { _ in
      if let effect = known(id) { return effect }
      let effect = RecordedEffect(log, model: model, action: Int(truncatingIfNeeded: id))
      if effect.action < 0 { sources[id] = effect } else { effects[id] = effect }
      return effect
    }
  }

  func handle(_ id: UInt64) {
    log.state.withLock { state in if !isOver, known(id)?.isReached == true { state.append(event(of: id)) } }
  }

  func end(_ id: UInt64, _ outcome: Outcome) {
    let effect = log.state.withLock { _ in
      newest?.id == id ? newest.take()?.effect : effects.removeValue(forKey: id) ?? sources.removeValue(forKey: id)
    }
    withExtendedLifetime(effect) {}
  }

  func close() {
    let dropped = log.state.withLock { state in
      defer { (effects, sources, newest, causes, resting, isOver) = ([:], [:], nil, [:], nil, true) }
      if !isOver { state.append(KeptEntry(.end, model: model)) }
      return (effects, sources, newest, resting)
    }
    withExtendedLifetime(dropped) {}
    log.sweep()
  }

  // MARK: The effects, under the lock of the log

  private func known(_ id: UInt64) -> RecordedEffect? {
    if let newest, newest.id == id { newest.effect } else { effects[id] ?? sources[id] }
  }

  /// Whether only sources are left, and nothing that has reached one of them is under way.
  private var isQuiet: Bool {
    newest == nil && causes.isEmpty && effects.isEmpty && !sources.values.contains(where: \.isMoving)
  }

  // MARK: Checkpoints

  /// Under a lock of the engine.
  func rest(in box: any AnyObject & Sendable) {
    log.state.withLock { state in
      if isOver { return }
      resting = box
      for source in sources.values where !source.isBusy { source.isMoving = false }
      makeCheckpointIfDue(box, &state)
    }
  }

  // Under the lock of the log.

  private func makeCheckpointIfDue(_ box: any AnyObject & Sendable, _ state: inout LogState) {
    if !state.isDue(since: checkpoints.last?.place ?? start) || !isQuiet { return }
    if checkpoints.count > 7 { state.lost.append(checkpoints.removeFirst()) }
    checkpoints.append(checkpoint(box, at: state.end))
  }

  private func checkpoint(_ box: any AnyObject & Sendable, at place: Int) -> Checkpoint {
    let (value, now) = (unboxed(box), DispatchTime.now().uptimeNanoseconds)
    let screens = screens.sorted().map { self.entry(.resume, $0) }
    return Checkpoint(
      place: place, box: box, state: KeptEntry(.state, model: model, value: value, time: now),
      head: [entry(value)] + screens + sources.values.sorted { $0.action < $1.action }.flatMap(\.newest))
  }

  /// The checkpoints, and one of now at `place` if the view model rests.
  func checkpoints(andAt place: Int) -> [Checkpoint] {
    checkpoints + (isQuiet ? resting.map { [checkpoint($0, at: place)] } ?? [] : [])
  }

  /// The entries of a view model that has not rested: without a state, and with the actions that are unfinished.
  var unfinished: [KeptEntry] {
    let sorted = (effects.values + (newest.map { [$0.effect] } ?? [])).sorted { $0.action < $1.action }
    return [entry(nil)] + sorted.map { $0.changed(to: .action) }
  }

  /// Forgets the checkpoints, and makes one of now if the view model rests. Returns the old ones.
  func forget(at place: Int) -> [Checkpoint] {
    let old = checkpoints
    checkpoints = Array(checkpoints(andAt: place).dropFirst(old.count))
    return old
  }
}

extension TapMaker {
  /// Calls `make`, in the context of `origin`, and taps the view models that it makes.
  package func tapping<Result>(from origin: any WorkOrigin, _ make: () throws -> Result) rethrows -> Result {
    try Taps.$maker.withValue(self) { try Taps.$origin.withValue(origin, operation: make) }
  }
}

extension EngineTap {
  // What not every tap needs.
  package func close() {}
  package func willFold() {}
  package func parks(_ input: () -> TappedInput) -> Bool { false }
  package func fold<State: Sendable>(_ state: State) {}
  package func wait(_ id: UInt64, _ cause: ExecutionCause) {}
  package func start(_ id: UInt64, _ cause: ExecutionCause?) {}
  package func end(_ id: UInt64, _ outcome: Outcome) {}
  package func handle(_ id: UInt64) {}
  package func rest(in state: any AnyObject & Sendable) {}
}
