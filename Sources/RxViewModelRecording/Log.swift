import Dispatch
import RxViewModel

/// The newest entries of a recorder: a ring.
///
/// A view model's engine notes an entry under its own lock, so the entries have the engine's order. No value is released under a lock: what
/// the log drops stays in `lost` until a call without a lock releases it.
final class Log: Sendable {
  struct State {
    fileprivate var ring: [Noted] = []
    /// The number of the entry in the first place of the ring.
    fileprivate var base = 0
    /// The number of entries that have been noted.
    fileprivate(set) var end = 0
    /// The number of entries that were dropped by ``Recorder/forget()``.
    fileprivate(set) var forgotten = 0
    var lost: [any Sendable] = []
    var models: [any RecordedModel] = []
    fileprivate var nextModel = 0
    /// The calls without an answer.
    fileprivate var open: [ObjectIdentifier: Noted] = [:]
    /// The effects with answers that wait.
    fileprivate var waiting: [EffectOrigin] = []
    fileprivate(set) var isClosed = false
  }

  private let limit: Int
  private let codes: Codes
  private let start = DispatchTime.now().uptimeNanoseconds
  private let state = Lock(State())

  init(limit: Int, codes: Codes) {
    (self.limit, self.codes) = (limit, codes)
  }

  func locked<Result>(_ body: (inout State) -> Result) -> Result { state.withLock(body) }

  func append(_ noted: Noted, to state: inout State) {
    noted.time = DispatchTime.now().uptimeNanoseconds
    if state.isClosed { return state.lost.append(noted) }
    if state.ring.count < limit {
      state.ring.append(noted)
    } else {
      var old = noted
      swap(&state.ring[(state.end - state.base) % limit], &old)
      if old.kind == .end { remove(from: &state) { $0.model == old.model } }
      if state.lost.isEmpty { state.lost.reserveCapacity(Self.mostLost + 2) }
      state.lost.append(old)
    }
    state.end += 1
  }

  /// The number of dropped values that wait for a turn.
  static let mostLost = 8

  /// Releases what the log has dropped, if that is more than `most` values. The caller holds no lock.
  func sweep(most: Int = 0) {
    var lost: [any Sendable] = []
    state.withLock { if $0.lost.count > most { swap(&$0.lost, &lost) } }
  }

  private func remove(from state: inout State, where isRemoved: (any RecordedModel) -> Bool) {
    state.lost += state.models.filter(isRemoved)
    state.models.removeAll(where: isRemoved)
  }

  func newModel() -> Int {
    state.withLock { state in
      state.nextModel += 1
      return state.nextModel - 1
    }
  }

  // MARK: Effects
  //
  // An answer is noted right before what its effect does next, because that is where it takes effect. If the effect is cancelled before it
  // does anything, the effect hasn't used the answer, which is then noted after the cancellation.

  /// Notes what an effect does, or what reaches it, after the answers that it has had.
  func note(_ noted: Noted, of origin: EffectOrigin?) {
    state.withLock { state in
      settle(origin, &state)
      append(noted, to: &state)
      guard let origin, !origin.isOver, noted.call != nil else { return }
      if noted.kind == .element {
        origin.held.append(noted)
        if origin.held.count > EffectOrigin.mostElements {
          for element in origin.takeElements(1) { keep(element, of: origin, &state) }
        }
      } else if noted.kind == .value || noted.kind == .opening {
        keep(noted, of: origin, &state)
      }
    }
    sweep()
  }

  /// Notes the answers of an effect that does something now. If the current task has answers, those of its other tasks wait.
  func settle(_ origin: EffectOrigin?, isAll: Bool = false, _ state: inout State) {
    guard let origin, !origin.answers.isEmpty else { return }
    let task = withUnsafeCurrentTask { $0?.hashValue }
    let isOwn = !isAll && origin.answers.contains { $0.task == task }
    origin.answers.removeAll { answer in
      if isOwn, answer.task != task { return false }
      append(answer.noted, to: &state)
      return true
    }
    if origin.answers.isEmpty { state.waiting.removeAll { $0 === origin } }
  }

  /// The effect in whose context this thread is, if a view model of this recorder has made it.
  var current: EffectOrigin? { (Taps.origin as? EffectOrigin).flatMap { $0.log === self ? $0 : nil } }

  /// Numbers a call of the current effect.
  func ask(_ question: String, isOpen: Bool = false) -> Noted.Call {
    let origin = current
    let effect = origin?.action == 0 ? nil : origin
    return state.withLock { state in
      settle(origin, &state)
      let count = (effect?.counts[question] ?? 0) + 1
      if let effect, effect.counts.count >= EffectOrigin.mostCounts { effect.counts = [:] }
      effect?.counts[question] = count
      let call = Noted.Call(model: origin?.model ?? 0, origin: effect, question: question, count: count)
      if isOpen { state.open[ObjectIdentifier(call)] = Noted(.open, model: call.model, call: call) }
      return call
    }
  }

  func answer(_ call: Noted.Call, _ kind: Entry.Kind, _ value: any Sendable) {
    let noted = Noted(kind, model: call.model, value: value, call: call)
    let task = withUnsafeCurrentTask { $0?.hashValue }
    state.withLock { state in
      state.open[ObjectIdentifier(call)] = nil
      guard let origin = call.origin, !origin.isOver else { return append(noted, to: &state) }
      if origin.answers.isEmpty { state.waiting.append(origin) }
      origin.answers.append((task, noted))
      keep(noted, of: origin, &state)
    }
    sweep()
  }

  /// Called when an effect sends an event. Notes how many of its held elements came before: when the view model takes the event, no
  /// operator holds these any more.
  func sendEvent(of origin: EffectOrigin) {
    if origin.sent.count >= EffectOrigin.mostEvents { origin.sent.removeFirst() }
    origin.sent.append(origin.held.count - origin.sent.reduce(0, +))
  }

  /// The view model takes an event of an effect.
  func takeEvent(of origin: EffectOrigin, _ state: inout State) {
    origin.events += 1
    if let count = origin.sent.first {
      for element in origin.takeElements(count) { keep(element, of: origin, &state) }
      origin.sent.removeFirst()
    }
  }

  /// Keeps the newest answer to a question, and the newest element of a stream.
  private func keep(_ noted: Noted, of origin: EffectOrigin, _ state: inout State) {
    var noted = noted
    if let index = origin.past.firstIndex(where: { $0.call?.question == noted.call?.question }) {
      let old = origin.past.remove(at: index)
      state.lost.append(old)
      // The first element came at the subscription. In a recording that begins later, the newest one comes there instead.
      if old.kind == .opening { noted = Noted(.opening, model: noted.model, value: noted.value, call: noted.call) }
    } else if origin.past.count >= EffectOrigin.mostAnswers {
      state.lost.append(origin.past.removeFirst())
    }
    origin.past.append(noted)
  }

  /// Called when the effect has ended. Breaks the cycle: what the effect keeps retains it.
  func end(_ origin: EffectOrigin, _ state: inout State) {
    origin.isOver = true
    settle(origin, isAll: true, &state)
    if origin.past.isEmpty, origin.held.isEmpty { return }
    state.lost += (origin.past + origin.held) as [any Sendable]
    (origin.past, origin.held) = ([], [])
  }

  // MARK: Reading

  /// Whether `count` checkpoints are due since the one at `last`.
  func isDue(_ last: Int, _ state: State, _ count: Int) -> Bool {
    last < state.forgotten || state.end / stride - last / stride >= count
  }

  /// The number of entries between two checkpoints.
  private var stride: Int { max(limit / 8, 1) }

  func forget() {
    locked { state in
      state.lost += state.ring as [any Sendable]
      (state.ring, state.base, state.forgotten) = ([], state.end, state.end)
      state.lost += state.models.flatMap(\.checkpoints) as [any Sendable]
      for model in state.models { model.checkpoints = [] }
      remove(from: &state) { $0.isOver }
    }
    sweep()
  }

  /// Called when the recorder is released. Breaks the cycle: what the log holds retains the log.
  func close() {
    var old = State()
    old.isClosed = true
    state.withLock { swap(&$0, &old) }
  }

  var recording: Recording {
    let entries = locked { state -> [Noted] in self.entries(state) }
    return Recording(lines: entries.map { $0.line(since: start, codes) })
  }

  private func entries(_ state: State) -> [Noted] {
    let first = state.end - state.ring.count
    // From a checkpoint at `begin` or later, no entry is missing.
    let isCut = first > state.forgotten
    let begin = isCut ? min((first + stride - 1) / stride * stride, state.end) : state.forgotten
    let known = state.models.map { (model: $0, checkpoints: $0.checkpoints(andAt: state.end)) }
    let ring = { (number: Int) in state.ring[(number - state.base) % self.limit] }
    let late = state.waiting.flatMap { $0.answers.map(\.noted) } + state.open.values
    let beginnings = known.filter { $0.model.start < begin }
      .map { (model: $0.model, checkpoint: $0.checkpoints.first { $0.place >= begin }) }
    if beginnings.contains(where: { $0.checkpoint.map { !$0.isCodable } ?? !$0.model.isOver }) {
      let models = known.filter { $0.model.start < first }.map(\.model.unknown)
      return models + [Noted(.middle, model: 0, action: first)] + (first..<state.end).map(ring) + late
    }
    var entries = beginnings.flatMap { $0.checkpoint?.head ?? [] }
    if begin > 0 { entries.append(Noted(.begin, model: 0, action: begin)) }
    let places = Dictionary(uniqueKeysWithValues: beginnings.map { ($0.model.model, $0.checkpoint?.place ?? .max) })
    // The states that the test compares: those of the last checkpoints, and the current ones.
    var states = known.flatMap { $0.checkpoints.suffix(2) }.filter { $0.isCodable && $0.place >= begin }
    states.sort { $0.place > $1.place }
    // The effects that the test plays.
    var played = Set(entries.filter { $0.kind == .again }.map { [$0.model, $0.action] })
    for number in begin..<max(state.end, begin) {
      while let next = states.last, next.place <= number { entries.append(states.removeLast().noted) }
      let noted = ring(number)
      let place = places[noted.model] ?? 0
      if number < place { continue }
      // A task may outlive its action. If that ended before the recording begins, the test doesn't have it.
      let caller = noted.call?.origin.flatMap { $0.action > 0 ? [$0.model, $0.action] : nil }
      if let caller, !played.contains(caller) { continue }
      if noted.kind == .action || noted.kind == .own { played.insert([noted.model, noted.action]) }
      let hasCause = noted.details?.origin.map { isPlayed($0, place, places, played) } ?? true
      if noted.details?.isDropped == true, places[noted.model] != nil {
        entries.append(noted.fromElsewhere(.gone))
      } else {
        entries.append(hasCause ? noted : noted.fromElsewhere(noted.kind == .own ? .action : noted.kind))
      }
    }
    return entries + states.reversed().map(\.noted) + late
  }
}

/// Whether the test plays the effect that has executed an action of a view model that begins at `place`. An effect that has ended may have
/// a task that goes on.
private func isPlayed(
  _ origin: (effect: EffectOrigin, place: Int), _ place: Int, _ places: [Int: Int], _ played: Set<[Int]>
) -> Bool {
  guard let first = places[origin.effect.model] else { return origin.place >= place }
  let isBegun = origin.effect.action <= 0 || played.contains([origin.effect.model, origin.effect.action])
  return isBegun && origin.place >= max(place, first)
}

/// A state of a view model between two of its inputs, and what it had not finished.
struct Checkpoint: Sendable {
  /// The number of entries before it.
  let place: Int
  /// The state, with the view model's name.
  let state: Noted.Model
  let model: Int
  var running: [Noted] = []
  /// What reaches the effects again.
  var held: [Noted] = []
  var screens: [UInt64] = []

  var isCodable: Bool { state.state is any Codable }
  var noted: Noted { Noted(.state, model: model, value: state.state) }

  /// The entries that stand in front of the others.
  var head: [Noted] {
    let resumed = screens.map { Noted(.resume, model: model, action: Int($0)) }
    return [Noted(.model, model: model, value: state)] + resumed + running + held
  }
}

/// A view model that a recorder has made. The lock of the log guards it.
protocol RecordedModel: AnyObject, Sendable {
  var model: Int { get }
  var isOver: Bool { get }
  /// Its line without a state.
  var unknown: Noted { get }
  /// The number of entries before the view model was made.
  var start: Int { get }
  var checkpoints: [Checkpoint] { get set }
  /// The checkpoints, and one of now at `place`, unless the view model is working or has ended.
  func checkpoints(andAt place: Int) -> [Checkpoint]
}
