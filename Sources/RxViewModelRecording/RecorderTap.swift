import RxViewModel

/// Notes what one view model takes, and from time to time its state, so that a recording may begin there.
///
/// The engine calls the functions in about the order in which they stand here: `open` for the view model; `accept` and `take` for an
/// action, which is its entry; `origin`, `send` and `forward` for its effect; `end`; and `close`. An action without an effect that goes on
/// costs one object.
// Sendable: the lock of the log guards the variables.
final class RecorderTap: EngineTap, @unchecked Sendable {
  let model: Int
  private let log: Log
  private let name: String
  private let type: String
  /// The state in a ``Box``.
  private let unboxed: @Sendable (AnyObject) -> any Sendable
  private let turn: RecordedEffect
  /// The number of entries before the view model was made.
  private(set) var start = 0
  private(set) var isOver = false
  /// The effects of the unfinished actions, and of the sources.
  @exclusivity(unchecked) private var effects: [UInt64: RecordedEffect] = [:]
  /// The effect of the newest action. It isn't in `effects`, because most actions end before the next one begins.
  @exclusivity(unchecked) private var newest: (id: UInt64, effect: RecordedEffect)?
  /// What has executed the view model's own actions that are accepted and not yet taken.
  @exclusivity(unchecked) private var causes: [UInt64: (effect: RecordedEffect, place: Int)] = [:]
  private var screens: Set<UInt64> = []
  @exclusivity(unchecked) var checkpoints: [Checkpoint] = []
  /// The newest state while nothing is left to do. The engine has it, too, until it takes the next input.
  @exclusivity(unchecked) private var resting: AnyObject?

  init(_ log: Log, _ name: String, _ type: Any.Type, unboxed: @escaping @Sendable (AnyObject) -> any Sendable) {
    (self.log, self.name, self.type, self.unboxed) = (log, name, "\(type)", unboxed)
    model = log.state.withLock { $0.nextModel() }
    turn = RecordedEffect(log, model: model, action: 0)
  }

  // MARK: The beginning, without a lock

  func open<State: Sendable>(_ initial: State, isFollowed: Bool) -> State {
    if isFollowed { return initial }
    log.state.withLock { state in
      start = state.end
      state.add(self)
      state.append(entry(initial))
    }
    return initial
  }

  /// The entry of the view model with a state, or without one.
  func entry(_ state: (any Sendable)?) -> KeptEntry {
    KeptEntry(.model, model: model, value: KeptEntry.Model(name: name, type: type, state: state))
  }

  // MARK: An input, under the lock of the engine

  func accept(_ id: UInt64) {
    guard let effect = log.currentEffect else { return }
    log.state.withLock { state in
      state.settle(effect)
      causes[id] = (effect, max(state.end - 1, 0))
    }
  }

  func take(_ input: TappedInput, in box: AnyObject) {
    log.state.withLock { state in
      resting = nil
      // Only if two are due, because a checkpoint is better made where the view model rests.
      makeCheckpoint(of: box, ifDue: 2, &state)
      state.append(taken(input, &state))
    }
  }

  /// Notes the effect or the screen of an input, and returns its entry.
  private func taken(_ input: TappedInput, _ state: inout LogState) -> KeptEntry {
    switch input {
    case .action(let id, let action, let mode, let batch, let isCancelled, let isDropped):
      let cause = causes.isEmpty ? nil : causes.removeValue(forKey: id)
      let (isGone, isPlain) = (isCancelled || isDropped, cause == nil && mode == nil && batch == nil)
      let effect = RecordedEffect(
        log, isGone ? .gone : cause == nil ? .action : .own, model: model, action: Int(truncatingIfNeeded: id),
        value: action, details: isPlain ? nil : KeptEntry.ActionDetails(cause: cause, mode: mode, batch: batch))
      if isGone { return effect }
      if let newest { effects[newest.id] = newest.effect }
      newest = (id, effect)
      return effect
    case .other(let kind, let number):
      switch kind {
      case .event: if let effect = known(number) { state.takeEvents(of: effect, to: effect.events + 1) }
      case .quiet: known(number)?.isQuiet = true
      case .resume: screens.insert(number)
      case .pause: screens.remove(number)
      case .failure, .call: break
      }
      return KeptEntry(Entry.Kind(rawValue: kind.rawValue)!, model: model, number: Int(truncatingIfNeeded: number))
    }
  }

  func rest(in box: AnyObject) {
    log.state.withLock { state in
      resting = box
      makeCheckpoint(of: box, ifDue: 1, &state)
    }
  }

  // MARK: An effect

  /// The driver calls it with no lock held.
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

  /// Under the lock of the engine.
  func send(_ id: UInt64) {
    let sender = log.currentEffect
    log.state.withLock { state in
      let effect = known(id)
      state.settle(effect, before: (effect?.sent ?? 0) + 1)
      effect?.sent += 1
      state.settle(sender)
    }
  }

  /// Under the lock of the engine if the driver takes events along, and without a lock if the effect ends.
  func forward(_ id: UInt64) {
    log.state.withLock { state in
      guard let effect = known(id), !effect.answers.isEmpty || effect.sent > effect.events else { return }
      state.settle(effect, isAll: true)
      state.append(KeptEntry(.forwarded, model: model, number: effect.action))
      state.takeEvents(of: effect, to: effect.sent)
    }
  }

  /// Under the lock of the engine.
  func cancel(_ running: [UInt64], after looks: Int?) -> Bool {
    if let looks, !running.isEmpty {
      log.state.withLock { state in
        // Behind the last look of a turn if there is none now.
        let isResting = resting != nil
        resting = nil
        state.append(KeptEntry(.cancel, model: model, number: isResting ? looks + 1 : looks, value: running))
      }
    }
    return true
  }

  // MARK: The end, without a lock

  func stop(_ batch: UInt64, at id: UInt64) {
    log.state.withLock { _ in
      for effect in allEffects where effect.details?.batch == batch && effect.action > Int(truncatingIfNeeded: id) {
        effect.isDropped = true
      }
    }
  }

  func end(_ id: UInt64) {
    let effect = log.state.withLock { state -> RecordedEffect? in
      let effect = newest?.id == id ? newest.take()?.effect : effects.removeValue(forKey: id)
      if let effect { state.end(effect) }
      return effect
    }
    withExtendedLifetime(effect) {}
  }

  func close() {
    let dropped = log.state.withLock { state in
      for effect in allEffects { state.end(effect) }
      defer { (effects, newest, causes, resting, isOver) = ([:], nil, [:], nil, true) }
      return (effects, newest, causes, resting)
    }
    withExtendedLifetime(dropped) {}
    log.note(KeptEntry(.end, model: model), of: nil)
  }

  // MARK: The effects, under the lock of the log

  private func known(_ id: UInt64) -> RecordedEffect? {
    if let newest, newest.id == id { newest.effect } else { effects[id] }
  }

  private var allEffects: [RecordedEffect] { Array(effects.values) + (newest.map { [$0.effect] } ?? []) }

  /// The answers that wait for their effects to do something.
  var lateAnswers: [KeptEntry] { allEffects.flatMap { $0.answers.map(\.entry) } }

  // MARK: Checkpoints, under the lock of the log

  /// Makes a checkpoint if `count` are due.
  private func makeCheckpoint(of box: AnyObject, ifDue count: Int, _ state: inout LogState) {
    if !state.isDue(count, since: checkpoints.last?.place ?? start) { return }
    if checkpoints.count > 7 { state.lost.append(checkpoints.removeFirst()) }
    checkpoints.append(checkpoint(box, state.end))
  }

  private func checkpoint(_ box: AnyObject, _ place: Int) -> Checkpoint {
    let value = unboxed(box)
    var head = [entry(value)] + screens.sorted().map { KeptEntry(.resume, model: model, number: Int($0)) }
    var waiting: [KeptEntry] = []
    let effects = allEffects.filter { !$0.isDropped }.sorted { $0.action < $1.action }
    for effect in effects {
      if let action = effect.value {
        var details = effect.details ?? KeptEntry.ActionDetails()
        (details.cause, details.events) = (nil, effect.events)
        head.append(KeptEntry(.again, model: model, number: effect.action, value: action, details: details))
      }
      if effect.isQuiet { head.append(KeptEntry(.quiet, model: model, number: effect.action)) }
      for (entry, event) in effect.past {
        if event > effect.events, event <= effect.sent {
          waiting.append(entry)
        } else {
          head.append(entry.kind == .element ? entry.changed(to: .latest) : entry)
        }
      }
    }
    let state = KeptEntry(.state, model: model, value: value)
    for effect in effects { head += effect.held.map(\.entry) }
    return Checkpoint(place: place, state: state, head: head, waiting: waiting)
  }

  /// The checkpoints, and one of now at `place`, unless the view model is working or has ended.
  func checkpoints(andAt place: Int) -> [Checkpoint] { checkpoints + (resting.map { [checkpoint($0, place)] } ?? []) }
}

extension EngineTap {
  /// Gives this tap to the first engine of this type of view model that `make` makes.
  package func tapping<A, S, M: RxViewModel<A, S>>(_ make: () throws -> M) rethrows -> M {
    let rest = Lock<(any EngineTap)?>(self)
    let maker = TapMaker { action, state in
      action == A.self && state == S.self ? rest.withLock { $0.take() } : nil
    }
    return try Taps.$maker.withValue(maker) { try Taps.$origin.withValue(origin(of: 0), operation: make) }
  }

  // What not every tap needs.
  package var player: (any EnginePlayer)? { nil }
  package func close() {}
  package func fold<State: Sendable>(_ state: State) {}
  package func forward(_ id: UInt64) {}
  package func end(_ id: UInt64) {}
  package func stop(_ batch: UInt64, at id: UInt64) {}
  package func send(_ id: UInt64) {}
  package func rest(in state: AnyObject) {}
}
