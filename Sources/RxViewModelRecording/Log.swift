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
    var models: [RecorderTap] = []
    /// The number of the next view model.
    var nextModel = 0
    /// The calls without an answer.
    fileprivate var open: [ObjectIdentifier: Noted] = [:]
    fileprivate(set) var isClosed = false
  }

  private let limit: Int
  /// The number of entries between two checkpoints.
  private let stride: Int
  let codes = Codes()
  private let start = DispatchTime.now().uptimeNanoseconds
  let state = Lock(State())

  init(limit: Int) { (self.limit, stride) = (limit, limit / 8) }

  func append(_ noted: Noted, to state: inout State) {
    if noted.time == 0 { noted.time = DispatchTime.now().uptimeNanoseconds }
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

  private func remove(from state: inout State, where isRemoved: (RecorderTap) -> Bool) {
    state.lost += state.models.filter(isRemoved)
    state.models.removeAll(where: isRemoved)
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
        origin.held.append((noted, origin.sent + 1))
        if origin.held.count > EffectOrigin.mostElements { keep(origin.held.removeFirst().element, of: origin, &state) }
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
      let call = Noted.Call(model: origin?.model ?? Entry.unknown, origin: effect, question: question, count: count)
      if isOpen { state.open[ObjectIdentifier(call)] = Noted(.open, model: call.model, call: call) }
      return call
    }
  }

  func answer(_ call: Noted.Call, _ kind: Entry.Kind, _ value: any Sendable) {
    // It has its time from the beginning, because a recording may have it while it waits.
    let noted = Noted(kind, model: call.model, value: value, call: call, time: DispatchTime.now().uptimeNanoseconds)
    let task = withUnsafeCurrentTask { $0?.hashValue }
    state.withLock { state in
      state.open[ObjectIdentifier(call)] = nil
      guard let origin = call.origin, !origin.isOver else { return append(noted, to: &state) }
      origin.answers.append((task, noted))
      keep(noted, of: origin, &state)
    }
    sweep()
  }

  /// The view model takes events of an effect: no operator holds the elements before them any more.
  func takeEvents(of origin: EffectOrigin, to count: UInt64, _ state: inout State) {
    origin.events = count
    while let (element, event) = origin.held.first, event <= origin.events {
      origin.held.removeFirst()
      keep(element, of: origin, &state)
    }
  }

  /// Keeps the newest answer to a question, and the newest element of a stream.
  private func keep(_ noted: Noted, of origin: EffectOrigin, _ state: inout State) {
    var noted = noted
    if let index = origin.past.firstIndex(where: { $0.call?.question == noted.call?.question }) {
      let old = origin.past.remove(at: index)
      state.lost.append(old)
      // The first element came at the subscription. In a recording that begins later, the newest one comes there instead.
      if old.kind == .opening { noted = noted.changed(to: .opening) }
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
    state.lost += (origin.past + origin.held.map(\.element)) as [any Sendable]
    (origin.past, origin.held) = ([], [])
  }

  // MARK: Reading

  /// Whether `count` checkpoints are due since the one at `last`.
  func isDue(_ last: Int, _ state: State, _ count: Int) -> Bool {
    last < state.forgotten || state.end >= (last / stride + count) * stride
  }

  func forget() {
    state.withLock { state in
      state.lost += state.ring as [any Sendable]
      (state.ring, state.base, state.forgotten) = ([], state.end, state.end)
      state.lost += state.models.flatMap(\.checkpoints) as [any Sendable]
      for model in state.models { (model.checkpoints, model.last) = ([], 0) }
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
    let noted = state.withLock { entries($0) }
    return Recording(lines: noted.map { $0.line(since: start, codes) })
  }

  private func entries(_ state: State) -> [Noted] {
    let first = state.end - state.ring.count
    // A checkpoint is due at each multiple of `stride`, so each view model that works after `begin` has one there or later.
    let begin = first > state.forgotten ? min((first + stride - 1) / stride * stride, state.end) : state.forgotten
    let known = state.models.map { (model: $0, checkpoints: $0.checkpoints(andAt: state.end)) }
    // For each view model made before `begin`, the first entry that the recording has of it.
    var (entries, places) = ([Noted](), [Int: Int]())
    for (model, checkpoints) in known where model.start < begin {
      let checkpoint = checkpoints.first { $0.place >= begin }
      places[model.model] = checkpoint?.place ?? (model.isOver ? .max : begin)
      entries += checkpoint?.head ?? (model.isOver ? [] : [model.line(nil)])
    }
    if begin > 0 { entries.append(Noted(.begin, model: 0, action: begin)) }
    // The states that the test compares: those of the last checkpoints, and the current ones.
    var states = known.flatMap { $0.checkpoints.suffix(2) }.filter {
      $0.place >= begin && $0.state.value is any Codable
    }
    states.sort { $0.place > $1.place }
    // The actions that the test has.
    var played = Set(entries.filter { $0.kind == .again }.map { [$0.model, $0.action] })
    // An effect that has ended may have a task that goes on. If the action ended before the recording begins, the test doesn't have it.
    let isPlayed = { (effect: EffectOrigin, place: Int) in
      place >= places[effect.model] ?? 0 && (effect.action <= 0 || played.contains([effect.model, effect.action]))
    }
    for number in begin..<max(state.end, begin) {
      while let next = states.last, next.place <= number { entries.append(states.removeLast().state) }
      let noted = state.ring[(number - state.base) % limit]
      let place = places[noted.model] ?? 0
      if number < place { continue }
      if let effect = noted.call?.origin, !isPlayed(effect, number) { continue }
      if noted.kind == .action || noted.kind == .own { played.insert([noted.model, noted.action]) }
      let hasCause = noted.details?.origin.map { $0.place >= place && isPlayed($0.effect, $0.place) } ?? true
      entries.append(hasCause ? noted : noted.changed(to: noted.kind == .own ? .action : noted.kind))
    }
    return entries + states.reversed().map(\.state) + known.flatMap(\.model.lateAnswers) + state.open.values
  }
}

/// A state of a view model between two of its inputs, and what it had not finished.
struct Checkpoint: Sendable {
  /// The number of entries before it.
  let place: Int
  let state: Noted
  /// The entries with which a recording begins here: the view model, its screens, its unfinished actions, and what reaches these again.
  let head: [Noted]
}
