import RxViewModel

/// Notes what one view model takes.
// Sendable: the lock of the log guards the variables.
final class RecorderTap<A: Codable & Sendable, S: Sendable>: EngineTap, RecordedModel, @unchecked Sendable {
  let model: Int
  private let log: Log
  private let name: String
  private let type: String
  private let turn: EffectOrigin
  private(set) var start = 0
  private(set) var isOver = false
  /// The effects of the unfinished actions, and of the sources.
  @exclusivity(unchecked) private var effects: [UInt64: EffectOrigin] = [:]
  /// The effect of the newest action. It isn't in `effects`, because most actions end before the next one begins.
  @exclusivity(unchecked) private var newest: (id: UInt64, effect: EffectOrigin)?
  /// The view model's own actions that have been accepted, each with the effect that has executed it.
  @exclusivity(unchecked) private var own: [UInt64: (effect: EffectOrigin, place: Int)] = [:]
  private var screens: Set<UInt64> = []
  @exclusivity(unchecked) var checkpoints: [Checkpoint] = []
  /// The newest state while nothing is left to do. The engine has it, too, until it takes the next input.
  @exclusivity(unchecked) private var resting: Box<S>?

  private init(_ log: Log, _ name: String, _ type: Any.Type) {
    (self.log, self.name, self.type, model) = (log, name, "\(type)", log.newModel())
    turn = EffectOrigin(log, model: model, action: 0)
  }

  /// Makes a view model whose engine gets a tap.
  static func making<M: RxViewModel<A, S>>(_ log: Log, _ name: String, _ make: () throws -> M) rethrows -> M {
    let tap = RecorderTap(log, name, M.self)
    return try tap.tapping(tap.turn, A.self, S.self, make)
  }

  // MARK: Without a lock

  var player: (any EnginePlayer)? { nil }

  func open<State: Sendable>(_ state: State, isFollowed: Bool) -> State {
    if !isFollowed {
      log.locked { log in
        start = log.end
        if !log.isClosed { log.models.append(self) }
        self.log.append(Noted(.model, model: model, value: described(state)), to: &log)
      }
    }
    return state
  }

  private func described(_ state: any Sendable) -> Noted.Model { Noted.Model(name: name, type: type, state: state) }

  var unknown: Noted { Noted(.model, model: model, value: described(Never.self)) }

  func close() {
    let dropped = log.locked { log in
      defer { (effects, newest, own, resting, isOver) = ([:], nil, [:], nil, true) }
      for effect in all { self.log.end(effect, &log) }
      return (all, own, resting)
    }
    withExtendedLifetime(dropped) {}
    log.note(Noted(.end, model: model), of: nil)
  }

  func fold<State: Sendable>(_ state: State) {}

  func end(_ id: UInt64) {
    let effect = log.locked { log -> EffectOrigin? in
      let effect = newest?.id == id ? newest.take()?.effect : effects.removeValue(forKey: id)
      if let effect { self.log.end(effect, &log) }
      return effect
    }
    withExtendedLifetime(effect) {}
  }

  func stop(_ batch: UInt64, at id: UInt64) {
    log.locked { _ in
      for effect in all where effect.details?.batch == batch && effect.action > Int(truncatingIfNeeded: id) {
        effect.isDropped = true
      }
    }
  }

  func origin(of id: UInt64) -> any WorkOrigin {
    if id == 0 {
      log.sweep(most: Log.mostLost)
      return turn
    }
    return log.locked { _ in
      if let effect = known(id) { return effect }
      let effect = EffectOrigin(log, model: model, action: Int(truncatingIfNeeded: id))
      effects[id] = effect
      return effect
    }
  }

  private var all: [EffectOrigin] { Array(effects.values) + (newest.map { [$0.effect] } ?? []) }

  private func known(_ id: UInt64) -> EffectOrigin? {
    if let newest, newest.id == id { newest.effect } else { effects[id] }
  }

  // MARK: Under the lock of the engine

  func accept(_ id: UInt64) {
    guard let origin = log.current else { return }
    log.locked { log in
      own[id] = (origin, log.end)
      self.log.settle(origin, &log)
    }
  }

  func send(_ id: UInt64) {
    let origin = log.current
    log.locked { log in
      let effect = known(id)
      self.log.settle(effect, &log)
      if let effect { self.log.sendEvent(of: effect) }
      self.log.settle(origin, &log)
    }
  }

  func cancel(_ running: [UInt64], after looks: Int?) -> Bool {
    if let looks, !running.isEmpty {
      log.locked { log in
        resting = nil
        self.log.append(Noted(.cancel, model: model, action: looks, value: running), to: &log)
      }
    }
    return true
  }

  func take(_ input: TappedInput, in state: AnyObject) {
    log.locked { log in
      resting = nil
      // Only if two are due, because a checkpoint is better made where the view model rests.
      check(unsafeDowncast(state, to: Box<S>.self), &log, after: 2)
      self.log.append(noted(input, &log), to: &log)
    }
  }

  func rest(in state: AnyObject) {
    let state = unsafeDowncast(state, to: Box<S>.self)
    log.locked { log in
      resting = state
      check(state, &log, after: 1)
    }
  }

  /// Makes a checkpoint if `count` are due.
  private func check(_ state: Box<S>, _ log: inout Log.State, after count: Int) {
    if !self.log.isDue(checkpoints.last?.place ?? start, log, count) { return }
    if checkpoints.count > 7 { log.lost.append(checkpoints.removeFirst()) }
    checkpoints.append(checkpoint(state, log.end))
  }

  private func noted(_ input: TappedInput, _ log: inout Log.State) -> Noted {
    switch input {
    case .action(let id, let action, let mode, let batch, let isCancelled, let isDropped):
      let origin = own.isEmpty ? nil : own.removeValue(forKey: id)
      let isPlain = origin == nil && mode == nil && batch == nil
      let noted = EffectOrigin(
        self.log, isCancelled ? .gone : origin == nil ? .action : .own, model: model,
        action: Int(truncatingIfNeeded: id), value: action,
        details: isPlain ? nil : Noted.ActionDetails(origin: origin, mode: mode, batch: batch, isDropped: isDropped))
      if isCancelled { return noted }
      if let newest { effects[newest.id] = newest.effect }
      newest = (id, noted)
      return noted
    case .other(let kind, let number):
      switch kind {
      case .event: if let effect = known(number) { self.log.takeEvent(of: effect, &log) }
      case .quiet: known(number)?.isQuiet = true
      case .resume: screens.insert(number)
      case .pause: screens.remove(number)
      case .failure, .call: break
      }
      return Noted(Entry.Kind(rawValue: kind.rawValue)!, model: model, action: Int(truncatingIfNeeded: number))
    }
  }

  private func checkpoint(_ state: Box<S>, _ place: Int) -> Checkpoint {
    var checkpoint = Checkpoint(place: place, state: described(state.value), model: model, screens: screens.sorted())
    for effect in all.sorted(by: { $0.action < $1.action }) {
      if effect.isDropped { continue }
      if let action = effect.value {
        var details = effect.details ?? Noted.ActionDetails()
        (details.origin, details.events) = (nil, effect.events)
        checkpoint.running.append(Noted(.again, model: model, action: effect.action, value: action, details: details))
      }
      if effect.isQuiet { checkpoint.running.append(Noted(.quiet, model: model, action: effect.action)) }
      checkpoint.running += effect.past.map { noted in
        let kind: Entry.Kind = noted.kind == .element ? .latest : noted.kind == .error ? .thrown : .past
        return Noted(kind, model: model, value: noted.value, call: noted.call)
      }
      checkpoint.held += effect.held
    }
    return checkpoint
  }

  func checkpoints(andAt place: Int) -> [Checkpoint] { checkpoints + (resting.map { [checkpoint($0, place)] } ?? []) }
}

extension EngineTap {
  /// Gives this tap to the first engine with these types that `make` makes.
  package func tapping<A, S, M>(
    _ origin: any WorkOrigin, _: A.Type, _: S.Type, _ make: () throws -> M
  ) rethrows -> M {
    let rest = Lock<(any EngineTap)?>(self)
    let maker = TapMaker { action, state in
      action == A.self && state == S.self ? rest.withLock { $0.take() } : nil
    }
    return try Taps.$maker.withValue(maker) { try Taps.$origin.withValue(origin, operation: make) }
  }
}
