import RxViewModel

/// Notes what one view model takes.
// Sendable: the lock of the log guards the variables.
final class RecorderTap: EngineTap, @unchecked Sendable {
  let model: Int
  private let log: Log
  private let name: String
  private let type: String
  /// The state in a ``Box``.
  private let value: @Sendable (AnyObject) -> any Sendable
  private let turn: EffectOrigin
  /// The number of entries before the view model was made.
  private(set) var start = 0
  /// The number of entries before the newest checkpoint or, if there is none, before the view model was made.
  @exclusivity(unchecked) var last = 0
  private(set) var isOver = false
  /// The effects of the unfinished actions, and of the sources.
  @exclusivity(unchecked) private var effects: [UInt64: EffectOrigin] = [:]
  /// The effect of the newest action. It isn't in `effects`, because most actions end before the next one begins.
  @exclusivity(unchecked) private var newest: (id: UInt64, effect: EffectOrigin)?
  /// The view model's own actions that have been accepted, each with the effect that has executed it, and the number of the last entry
  /// before that.
  @exclusivity(unchecked) private var own: [UInt64: (effect: EffectOrigin, place: Int)] = [:]
  private var screens: Set<UInt64> = []
  @exclusivity(unchecked) var checkpoints: [Checkpoint] = []
  /// The newest state while nothing is left to do. The engine has it, too, until it takes the next input.
  @exclusivity(unchecked) private var resting: AnyObject?

  init(_ log: Log, _ name: String, _ type: Any.Type, value: @escaping @Sendable (AnyObject) -> any Sendable) {
    (self.log, self.name, self.type, self.value) = (log, name, "\(type)", value)
    model = log.state.withLock { log in
      defer { log.nextModel += 1 }
      return log.nextModel
    }
    turn = EffectOrigin(log, model: model, action: 0)
  }

  // MARK: Without a lock

  var player: (any EnginePlayer)? { nil }

  func fold<State: Sendable>(_ state: State) {}

  func open<State: Sendable>(_ state: State, isFollowed: Bool) -> State {
    if !isFollowed {
      log.state.withLock { log in
        (start, last) = (log.end, log.end)
        if !log.isClosed { log.models.append(self) }
        self.log.append(line(state), to: &log)
      }
    }
    return state
  }

  /// The line of the view model with a state, or without one.
  func line(_ state: (any Sendable)?) -> Noted {
    Noted(.model, model: model, value: Noted.Model(name: name, type: type, state: state))
  }

  func close() {
    let dropped = log.state.withLock { log in
      defer { (effects, newest, own, resting, isOver) = ([:], nil, [:], nil, true) }
      for effect in all { self.log.end(effect, &log) }
      return (all, own, resting)
    }
    withExtendedLifetime(dropped) {}
    log.note(Noted(.end, model: model), of: nil)
  }

  func forward(_ id: UInt64) {
    log.state.withLock { log in
      guard let effect = known(id), !effect.answers.isEmpty || effect.sent > effect.events else { return }
      self.log.settle(effect, isAll: true, &log)
      self.log.append(Noted(.forwarded, model: model, action: effect.action), to: &log)
      self.log.takeEvents(of: effect, to: effect.sent, &log)
    }
  }

  func end(_ id: UInt64) {
    let effect = log.state.withLock { log -> EffectOrigin? in
      let effect = newest?.id == id ? newest.take()?.effect : effects.removeValue(forKey: id)
      if let effect { self.log.end(effect, &log) }
      return effect
    }
    withExtendedLifetime(effect) {}
  }

  func stop(_ batch: UInt64, at id: UInt64) {
    log.state.withLock { _ in
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
    return log.state.withLock { _ in
      if let effect = known(id) { return effect }
      let effect = EffectOrigin(log, model: model, action: Int(truncatingIfNeeded: id))
      effects[id] = effect
      return effect
    }
  }

  /// The answers that wait for their effects to do something.
  var lateAnswers: [Noted] { all.flatMap { $0.answers.map(\.noted) } }

  private var all: [EffectOrigin] { Array(effects.values) + (newest.map { [$0.effect] } ?? []) }

  private func known(_ id: UInt64) -> EffectOrigin? {
    if let newest, newest.id == id { newest.effect } else { effects[id] }
  }

  // MARK: Under the lock of the engine

  func accept(_ id: UInt64) {
    guard let origin = log.current else { return }
    log.state.withLock { log in
      self.log.settle(origin, &log)
      own[id] = (origin, max(log.end - 1, 0))
    }
  }

  func send(_ id: UInt64) {
    let origin = log.current
    log.state.withLock { log in
      let effect = known(id)
      self.log.settle(effect, &log)
      effect?.sent += 1
      self.log.settle(origin, &log)
    }
  }

  func cancel(_ running: [UInt64], after looks: Int?) -> Bool {
    if let looks, !running.isEmpty {
      log.state.withLock { log in
        resting = nil
        self.log.append(Noted(.cancel, model: model, action: looks, value: running), to: &log)
      }
    }
    return true
  }

  func take(_ input: TappedInput, in state: AnyObject) {
    log.state.withLock { log in
      resting = nil
      // Only if two are due, because a checkpoint is better made where the view model rests.
      check(state, &log, after: 2)
      self.log.append(noted(input, &log), to: &log)
    }
  }

  func rest(in state: AnyObject) {
    log.state.withLock { log in
      resting = state
      check(state, &log, after: 1)
    }
  }

  /// Makes a checkpoint if `count` are due.
  private func check(_ state: AnyObject, _ log: inout Log.State, after count: Int) {
    if !self.log.isDue(last, log, count) { return }
    last = log.end
    if checkpoints.count > 7 { log.lost.append(checkpoints.removeFirst()) }
    checkpoints.append(checkpoint(state, last))
  }

  private func noted(_ input: TappedInput, _ log: inout Log.State) -> Noted {
    switch input {
    case .action(let id, let action, let mode, let batch, let isCancelled, let isDropped):
      let origin = own.isEmpty ? nil : own.removeValue(forKey: id)
      let (isGone, isPlain) = (isCancelled || isDropped, origin == nil && mode == nil && batch == nil)
      let noted = EffectOrigin(
        self.log, isGone ? .gone : origin == nil ? .action : .own, model: model,
        action: Int(truncatingIfNeeded: id), value: action,
        details: isPlain ? nil : Noted.ActionDetails(origin: origin, mode: mode, batch: batch))
      if isGone { return noted }
      if let newest { effects[newest.id] = newest.effect }
      newest = (id, noted)
      return noted
    case .other(let kind, let number):
      switch kind {
      case .event: if let effect = known(number) { self.log.takeEvents(of: effect, to: effect.events + 1, &log) }
      case .quiet: known(number)?.isQuiet = true
      case .resume: screens.insert(number)
      case .pause: screens.remove(number)
      case .failure, .call: break
      }
      return Noted(Entry.Kind(rawValue: kind.rawValue)!, model: model, action: Int(truncatingIfNeeded: number))
    }
  }

  private func checkpoint(_ state: AnyObject, _ place: Int) -> Checkpoint {
    let state = value(state)
    var head = [line(state)] + screens.sorted().map { Noted(.resume, model: model, action: Int($0)) }
    let effects = all.filter { !$0.isDropped }.sorted { $0.action < $1.action }
    for effect in effects {
      if let action = effect.value {
        var details = effect.details ?? Noted.ActionDetails()
        (details.origin, details.events) = (nil, effect.events)
        head.append(Noted(.again, model: model, action: effect.action, value: action, details: details))
      }
      if effect.isQuiet { head.append(Noted(.quiet, model: model, action: effect.action)) }
      head += effect.past.map { $0.kind == .element ? $0.changed(to: .latest) : $0 }
    }
    let line = Noted(.state, model: model, value: state)
    return Checkpoint(place: place, state: line, head: head + effects.flatMap { $0.held.map(\.element) })
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
