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
  /// The effects of the unfinished actions, and of the sources.
  @exclusivity(unchecked) private var effects: [UInt64: RecordedEffect] = [:]
  /// The effect of the newest action. It isn't in `effects`, because most actions end before the next one begins.
  @exclusivity(unchecked) private var newest: (id: UInt64, effect: RecordedEffect)?
  /// What has executed the view model's own actions that are accepted and not yet taken.
  @exclusivity(unchecked) private var causes: [UInt64: RecordedEffect] = [:]
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

  func open<State: Sendable>(_ initial: State) {
    log.state.withLock { state in
      start = state.end
      state.add(self)
      state.append(entry(initial))
    }
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
    KeptEntry(
      .model, model: model, value: KeptEntry.Model(name: name, type: type, state: state, skipped: skipped))
  }

  // MARK: An input, under a lock of the engine

  func accept(_ id: UInt64) {
    guard let effect = log.currentEffect else { return }
    log.state.withLock { _ in causes[id] = effect }
  }

  func take(_ input: TappedInput, in box: any AnyObject & Sendable, after states: UInt64) {
    log.state.withLock { state in
      (resting, self.states) = (nil, states)
      if isOver { return }
      if case .action(let id, _, _, _, let isOver) = input {
        // While actions come one after the other, it doesn't rest between them.
        makeCheckpointIfDue(box, &state)
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
      let isPlain = cause == nil && mode == nil && batch == nil
      let effect = RecordedEffect(
        log, cause == nil ? .action : .own, model: model, action: Int(truncatingIfNeeded: id), value: action,
        details: isPlain ? nil : KeptEntry.Details(cause: cause, mode: mode, batch: batch))
      effect.place = place
      if let newest { effects[newest.id] = newest.effect }
      newest = (id, effect)
      return effect
    case .event(let id): return event(of: id)
    case .flush(let lane): return KeptEntry(.flush, model: model, value: lane)
    case .resume(let screen):
      screens.insert(screen)
      return KeptEntry(.resume, model: model, value: screen)
    case .pause(let screen):
      screens.remove(screen)
      return KeptEntry(.pause, model: model, value: screen)
    }
  }

  private func event(of id: UInt64) -> KeptEntry {
    known(id)?.isAnswered = false
    return KeptEntry(.event, model: model, number: Int(truncatingIfNeeded: id))
  }

  func cancel(_ ids: [UInt64], isInside: Bool, after states: UInt64?) {
    if isInside { return }
    log.state.withLock { state in
      if !isOver { state.append(cancellation(of: ids, after: resting == nil ? states.map { $0 - self.states } : nil)) }
    }
  }

  private func cancellation(of ids: [UInt64], after states: UInt64? = nil) -> KeptEntry {
    KeptEntry(.cancel, model: model, value: KeptEntry.Cancelled(ids: ids, states: states))
  }

  // MARK: An effect, without a lock

  func origin(of id: UInt64) -> any WorkOrigin {
    if id == 0 {
      log.sweep(most: Log.mostLost)
      return turn
    }
    return log.state.withLock { _ in
      if let effect = known(id) { return effect }
      let effect = RecordedEffect(log, model: model, action: Int(truncatingIfNeeded: id))
      effects[id] = effect
      return effect
    }
  }

  func handle(_ id: UInt64) {
    log.state.withLock { state in if !isOver, known(id)?.isReached == true { state.append(event(of: id)) } }
  }

  func end(_ id: UInt64, _ outcome: Outcome) {
    let effect = log.state.withLock { _ in newest?.id == id ? newest.take()?.effect : effects.removeValue(forKey: id) }
    withExtendedLifetime(effect) {}
  }

  func close() {
    let dropped = log.state.withLock { state in
      defer { (effects, newest, causes, resting, isOver) = ([:], nil, [:], nil, true) }
      if !isOver { state.append(KeptEntry(.end, model: model)) }
      // What a source keeps retains it.
      for effect in effects.values { state.lost += effect.newest as [any Sendable] }
      for effect in effects.values { effect.newest = [] }
      return (effects, newest, causes, resting)
    }
    withExtendedLifetime(dropped) {}
    log.sweep()
  }

  // MARK: The effects, under the lock of the log

  private func known(_ id: UInt64) -> RecordedEffect? {
    if let newest, newest.id == id { newest.effect } else { effects[id] }
  }

  private var sorted: [RecordedEffect] {
    (effects.values + (newest.map { [$0.effect] } ?? [])).sorted { $0.action < $1.action }
  }

  /// Whether only sources are left, and nothing that has reached one of them is under way.
  private var isQuiet: Bool {
    newest == nil && causes.isEmpty && effects.values.allSatisfy { $0.action < 0 && !$0.isMoving }
  }

  // MARK: Checkpoints

  /// Under a lock of the engine.
  func rest(in box: any AnyObject & Sendable) {
    log.state.withLock { state in
      if isOver { return }
      resting = box
      for source in effects.values where !source.isBusy { source.isMoving = false }
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
    let screens = screens.sorted().map { KeptEntry(.resume, model: model, value: $0) }
    return Checkpoint(
      place: place, box: box, state: KeptEntry(.state, model: model, value: value, time: now),
      head: [entry(value)] + screens + sorted.flatMap(\.newest))
  }

  /// The checkpoints, and one of now at `place` if the view model rests.
  func checkpoints(andAt place: Int) -> [Checkpoint] {
    checkpoints + (isQuiet ? resting.map { [checkpoint($0, at: place)] } ?? [] : [])
  }

  /// The entries of a view model that has not rested: without a state, and with the actions that are unfinished.
  var unfinished: [KeptEntry] { [entry(nil)] + sorted.filter { $0.action > 0 }.map { $0.changed(to: .action) } }

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
  package var gate: (any EngineGate)? { nil }
  package func close() {}
  package func fold<State: Sendable>(_ state: State) {}
  package func wait(_ id: UInt64, _ cause: ExecutionCause?) {}
  package func start(_ id: UInt64, _ cause: ExecutionCause?) {}
  package func end(_ id: UInt64, _ outcome: Outcome) {}
  package func handle(_ id: UInt64) {}
  package func rest(in state: any AnyObject & Sendable) {}
}
