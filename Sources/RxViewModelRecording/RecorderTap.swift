import RxViewModel

/// Writes into the log what one view model takes.
// Sendable: the lock of the log guards the variables.
final class RecorderTap<A: Codable & Sendable, S: Sendable>: EngineTap, RestingTap, @unchecked Sendable {
  private let log: Log
  private let name: String
  private let type: String
  private var model = 0
  private var turn: EffectOrigin!
  /// The effects of the unfinished actions, and of the sources.
  private var origins: [UInt64: EffectOrigin] = [:]
  /// The accepted actions of the view model's own.
  private var own: [UInt64: any WorkOrigin] = [:]
  private var last: S?
  var openings: [String: String] = [:]
  private(set) var isAtRest = false
  private(set) var resumed: Set<UInt64> = []
  /// The cancellations since the view model has begun to take an input, whose entry comes before theirs. Nil at other times.
  private var early: [[String]]?

  init(_ log: Log, _ name: String, _ type: Any.Type) {
    (self.log, self.name) = (log, name)
    self.type = "\(type)"
    model = log.add(self)
    turn = EffectOrigin(model: model, action: 0)
  }

  /// Makes a view model whose engine gets this tap.
  static func making<M>(_ make: () throws -> M, _ tap: () -> any EngineTap) rethrows -> M {
    let tap = tap()
    let one = OneTap<A, S>(tap)
    // A view model that has not been made would never rest.
    defer { if one.take() != nil, let tap = tap as? RecorderTap { tap.log.remove(tap.model) } }
    return try Taps.$maker.withValue(one) {
      try Taps.$origin.withValue(tap.origin(of: 0), operation: make)
    }
  }

  func open<State>(_ state: State, isFollowed: Bool) -> State {
    if isFollowed {
      fold(state)
    } else {
      log.locked { last = state as? S }
      log.add(.model, model, fields: fields(isRestart: false) ?? [])
    }
    return state
  }

  func fields(isRestart: Bool) -> [String]? {
    let state = log.locked { last }
    let encodable = state as? any Encodable
    if isRestart, encodable == nil { return nil }
    let bytes = isRestart ? log.bytes / 8 : log.bytes
    let text = encodable.map { log.codes.encode($0, within: bytes) } ?? "null"
    if isRestart, text == Codes.unrecorded { return nil }
    let names = [name, type].map { (try? Coding.text(of: $0)) ?? "\"\"" }
    return names + [text] + (isRestart ? ["true"] : [])
  }

  func close() {
    log.add(.end, model)
    let running = log.locked { () -> [EffectOrigin] in
      defer { (origins, own) = ([:], [:]) }
      return origins.values.filter { $0.action > 0 }
    }
    for origin in running { log.change(running: -1, ending: origin) }
    log.remove(model)
  }

  func accept(_ id: UInt64) {
    guard let origin = Taps.origin else { return }
    log.locked {
      own[id] = origin
      isAtRest = false
    }
    log.settle(origin)
  }

  // All inputs have been taken: those that have no mark, too.
  func rest() {
    log.locked { (own, isAtRest) = ([:], true) }
  }

  func send(_ id: UInt64) {
    let origin = log.locked {
      isAtRest = false
      return origins[id]
    }
    log.settle(origin)
    log.settle(Taps.origin)
  }

  func cancel(_ running: [UInt64], after looks: Int?) -> Bool {
    guard let looks, !running.isEmpty else { return true }
    let fields = ["[\(running.map { "\($0)" }.joined(separator: ","))]", "\(looks)"]
    if case nil = log.locked({ early?.append(fields) }) { log.add(.cancel, model, fields: fields) }
    return true
  }

  func begin() { log.locked { early = [] } }

  func take(_ input: TappedInput, later: @escaping @Sendable () -> Void) -> Bool {
    log.addRestart()
    log.locked { isAtRest = false }
    defer { for fields in log.locked({ early.take() }) ?? [] { log.add(.cancel, model, fields: fields) } }
    switch input {
    case .action(_, _, _, _, isCancelled: true): add(input, own: .gone, other: .gone)
    case .action(let id, _, _, _, _):
      _ = effect(of: id)
      add(input, own: .own, other: .action)
    case .event(let id): log.add(.event, model, "\(Int(truncatingIfNeeded: id))")
    case .quiet(let id): log.add(.quiet, model, "\(id)")
    case .resume(let screen):
      _ = log.locked { resumed.insert(screen) }
      log.add(.resume, model, "\(screen)")
    case .pause(let screen):
      _ = log.locked { resumed.remove(screen) }
      log.add(.pause, model, "\(screen)")
    case .failure: log.add(.failure, model)
    case .call: log.add(.call, model)
    }
    return true
  }

  /// Adds the entry of an action. The origin of one from elsewhere is null.
  private func add(_ input: TappedInput, own kind: Entry.Kind, other: Entry.Kind) {
    guard case .action(let id, let action, let mode, let batch, _) = input else { return }
    var fields = ["\(id)", log.codes.encode(action as! A, within: log.bytes)]
    let own = log.locked { self.own.removeValue(forKey: id) }
    if let own {
      fields.insert("[\(own.model),\(own.action)]", at: 1)
    } else {
      if other == .gone { fields.insert("null", at: 1) }
      if let mode, let text = try? Coding.text(of: mode) { fields.append(text) }
      if let batch { fields.append("\(batch)") }
    }
    log.add(own == nil ? other : kind, model, fields: fields)
  }

  func fold(_ state: Any) {
    guard let state = state as? S else { return }
    var previous: S?
    log.locked {
      previous = last
      last = state
    }
    withExtendedLifetime(previous) {}
    log.addState(model, logText(of: log.codes.redacted(state)))
  }

  func end(_ id: UInt64) {
    if let origin = log.locked({ origins.removeValue(forKey: id) }) { log.change(running: -1, ending: origin) }
  }

  func origin(of id: UInt64) -> any WorkOrigin {
    id == 0 ? turn : effect(of: id)
  }

  private func effect(of id: UInt64) -> EffectOrigin {
    let (origin, isNew) = log.locked { () -> (EffectOrigin, Bool) in
      if let origin = origins[id] { return (origin, false) }
      let origin = EffectOrigin(model: model, action: Int(truncatingIfNeeded: id))
      origins[id] = origin
      return (origin, origin.action > 0)
    }
    if isNew { log.change(running: 1) }
    return origin
  }
}

/// Gives a tap to the first engine of its view model's types.
final class OneTap<A, S>: TapMaker {
  private let rest: Lock<(any EngineTap)?>

  init(_ tap: any EngineTap) {
    rest = Lock(tap)
  }

  func tap(_ action: Any.Type, _ state: Any.Type) -> (any EngineTap)? {
    action == A.self && state == S.self ? take() : nil
  }

  func take() -> (any EngineTap)? {
    rest.withLock { $0.take() }
  }
}
