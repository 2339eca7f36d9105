import Dispatch
import RxViewModel

/// What the lock of a ``Log`` guards: a ring of the newest entries, and what is needed to begin a recording with the oldest of them.
///
/// Every method runs under that lock, often also under the lock of an engine. So none calls user code, and none releases a value: what is
/// dropped stays in `lost` until ``Log/sweep(most:)``.
struct LogState {
  private let limit: Int
  /// The number of entries between two checkpoints.
  private let stride: Int
  private var ring: [KeptEntry] = []
  /// The number of the entry in the first place of the ring.
  private var base = 0
  /// The number of entries that have been appended.
  private(set) var end = 0
  /// The number of entries that were dropped by ``Recorder/forget()``.
  private var forgotten = 0
  var lost: [any Sendable] = []
  private var models: [RecorderTap] = []
  private var madeModels = 0
  /// The calls without an answer.
  private var open: [ObjectIdentifier: KeptEntry] = [:]
  private let isClosed: Bool

  init(limit: Int, isClosed: Bool = false) {
    (self.limit, stride, self.isClosed) = (limit, limit / 8, isClosed)
  }

  // MARK: View models

  mutating func nextModel() -> Int {
    defer { madeModels += 1 }
    return madeModels
  }

  mutating func add(_ model: RecorderTap) { if !isClosed { models.append(model) } }

  private mutating func remove(where isRemoved: (RecorderTap) -> Bool) {
    lost += models.filter(isRemoved)
    models.removeAll(where: isRemoved)
  }

  // MARK: Calls of effects

  /// Numbers a call of an effect, which does something with it.
  mutating func ask(_ question: String, of caller: RecordedEffect?, isOpen: Bool) -> KeptEntry.Call {
    settle(caller)
    let effect = caller?.action == 0 ? nil : caller
    let count = (effect?.counts[question] ?? 0) + 1
    if let effect, effect.counts.count >= RecordedEffect.mostCounts { effect.counts = [:] }
    effect?.counts[question] = count
    let call = KeptEntry.Call(model: caller?.model ?? Entry.noModel, effect: effect, question: question, count: count)
    if isOpen { open[ObjectIdentifier(call)] = KeptEntry(.open, model: call.model, call: call) }
    return call
  }

  /// Lets an answer wait until its effect does something. If the effect has ended, or is unknown, appends it.
  mutating func answer(_ call: KeptEntry.Call, _ entry: KeptEntry) {
    open[ObjectIdentifier(call)] = nil
    guard let effect = call.effect, !effect.isOver else { return append(entry) }
    effect.answers.append((withUnsafeCurrentTask { $0?.hashValue }, entry))
    keep(entry, of: effect)
  }

  /// Appends what an effect does, or what reaches it, behind the answers that it has had.
  mutating func note(_ entry: KeptEntry, of effect: RecordedEffect?) {
    settle(effect)
    append(entry)
    guard let effect, !effect.isOver, entry.call != nil else { return }
    // An element or an end at the subscription has nothing that waits.
    if entry.kind == .value || entry.kind == .opening || entry.kind == .closing { return keep(entry, of: effect) }
    effect.held.append((entry, effect.sent + 1))
    if effect.held.count > RecordedEffect.mostElements { keep(effect.held.removeFirst().entry, of: effect) }
  }

  /// Appends the answers of an effect that does something now: it makes a call, sends an event, executes an action, reads, has a timer, or
  /// ends. If the current task has answers, those of the effect's other tasks wait.
  mutating func settle(_ effect: RecordedEffect?, isAll: Bool = false, before event: UInt64 = 0) {
    guard let effect, !effect.answers.isEmpty else { return }
    let task = withUnsafeCurrentTask { $0?.hashValue }
    let isOwn = !isAll && effect.answers.contains { $0.task == task }
    effect.answers.removeAll { answer in
      if isOwn, answer.task != task { return false }
      append(answer.entry)
      if let index = effect.past.lastIndex(where: { $0.entry === answer.entry }) {
        effect.past[index].event = event
      }
      return true
    }
  }

  /// The view model has taken so many events of an effect. What its streams had sent before them counts as passed on by its operators.
  mutating func takeEvents(of effect: RecordedEffect, to count: UInt64) {
    effect.events = count
    while let (entry, event) = effect.held.first, event <= count {
      effect.held.removeFirst()
      keep(entry, of: effect)
    }
  }

  /// Keeps the newest answer to a question, and the newest element and the end of a stream.
  private mutating func keep(_ entry: KeptEntry, of effect: RecordedEffect) {
    var entry = entry
    let question = entry.call?.question
    if entry.kind.isEnd {
      // In a recording that begins later, a stream that has ended sends both at its subscription.
      entry = entry.changed(to: .closing)
      let last = effect.past.firstIndex { $0.entry.kind == .element && $0.entry.call?.question == question }
      if let last { effect.past[last].entry = effect.past[last].entry.changed(to: .opening) }
    }
    let isEnd = entry.kind.isEnd
    let index = effect.past.firstIndex { $0.entry.call?.question == question && $0.entry.kind.isEnd == isEnd }
    if let index {
      let old = effect.past.remove(at: index).entry
      lost.append(old)
      // The first element came at the subscription. In a recording that begins later, the newest one comes there instead.
      if old.kind == .opening { entry = entry.changed(to: .opening) }
    } else if effect.past.count >= RecordedEffect.mostAnswers {
      lost.append(effect.past.removeFirst().entry)
    }
    effect.past.append((entry, 0))
  }

  /// Called when an effect has ended. Breaks the cycle: what the effect keeps retains it.
  mutating func end(_ effect: RecordedEffect) {
    effect.isOver = true
    settle(effect, isAll: true)
    if effect.past.isEmpty, effect.held.isEmpty { return }
    lost += (effect.past.map(\.entry) + effect.held.map(\.entry)) as [any Sendable]
    (effect.past, effect.held) = ([], [])
  }

  // MARK: The ring

  mutating func append(_ entry: KeptEntry) {
    if entry.time == 0 { entry.time = DispatchTime.now().uptimeNanoseconds }
    if isClosed { return lost.append(entry) }
    if ring.count < limit {
      ring.append(entry)
    } else {
      var old = entry
      swap(&ring[(end - base) % limit], &old)
      if old.kind == .end { remove { $0.model == old.model } }
      if lost.isEmpty { lost.reserveCapacity(Log.mostLost + 2) }
      lost.append(old)
    }
    end += 1
  }

  mutating func forget() {
    lost += ring as [any Sendable]
    (ring, base, forgotten) = ([], end, end)
    lost += models.flatMap(\.checkpoints) as [any Sendable]
    for model in models { model.checkpoints = [] }
    remove { $0.isOver }
  }

  // MARK: Reading

  /// Whether `count` checkpoints are due since the one at entry `last`.
  func isDue(_ count: Int, since last: Int) -> Bool { last < forgotten || end >= (last / stride + count) * stride }

  /// The entries of a recording:
  ///
  /// 1. If entries were dropped, the head of each older view model, from its first checkpoint behind the gap; `begin`; and the answers whose
  ///    events wait there.
  /// 2. The entries of the ring that the test can play, with the newest states between them.
  /// 3. Answers that still wait for their effects, and calls without one.
  var recorded: [KeptEntry] {
    let oldest = end - ring.count
    // A checkpoint is due at each multiple of `stride`, so each view model that takes inputs after `begin` has one there or later, unless
    // one turn of it goes on since then.
    let begin = oldest > forgotten ? min((oldest + stride - 1) / stride * stride, end) : forgotten
    let all = models.map { (model: $0, checkpoints: $0.checkpoints(andAt: end)) }
    // For each view model made before `begin`, the first entry that the recording has of it.
    var (entries, waiting, firsts) = ([KeptEntry](), [KeptEntry](), [Int: Int]())
    for (model, checkpoints) in all where model.start < begin {
      let checkpoint = checkpoints.first { $0.place >= begin }
      firsts[model.model] = checkpoint?.place ?? (model.isOver ? .max : begin)
      entries += checkpoint?.head ?? (model.isOver ? [] : [model.entry(nil)])
      waiting += checkpoint?.waiting ?? []
    }
    if begin > 0 { entries.append(KeptEntry(.begin, model: 0, number: begin)) }
    entries += waiting
    // The states that the test compares: those of the last checkpoints, and the current ones.
    var states = all.flatMap { $0.checkpoints.suffix(2) }.filter { $0.place >= begin && $0.state.value is any Codable }
    states.sort { $0.place > $1.place }
    // The actions that the test has.
    var played = Set(entries.filter { $0.kind == .again }.map { [$0.model, $0.number] })
    // An effect that has ended may have a task that goes on. If the action ended before the recording begins, the test doesn't have it.
    let isPlayed = { (effect: RecordedEffect, place: Int) in
      place >= firsts[effect.model] ?? 0 && (effect.action <= 0 || played.contains([effect.model, effect.action]))
    }
    for place in begin..<max(end, begin) {
      while let next = states.last, next.place <= place { entries.append(states.removeLast().state) }
      let entry = ring[(place - base) % limit]
      let first = firsts[entry.model] ?? 0
      if place < first { continue }
      if let effect = entry.call?.effect, !isPlayed(effect, place) { continue }
      if entry.kind == .action || entry.kind == .own { played.insert([entry.model, entry.number]) }
      let hasCause = entry.details?.cause.map { $0.place >= first && isPlayed($0.effect, $0.place) } ?? true
      // The test doesn't play the effect that has executed the action, so the action is one from elsewhere.
      entries.append(hasCause ? entry : entry.changed(to: entry.kind == .own ? .action : entry.kind))
    }
    return entries + states.reversed().map(\.state) + all.flatMap(\.model.lateAnswers) + open.values
  }
}

/// A state of a view model between two of its inputs, and what it had not finished.
struct Checkpoint: Sendable {
  /// The number of entries before it.
  let place: Int
  let state: KeptEntry
  /// The entries with which a recording begins here: the view model, its screens, its unfinished actions, and what reaches these again.
  let head: [KeptEntry]
  /// The answers whose events wait: they come behind the head.
  let waiting: [KeptEntry]
}
