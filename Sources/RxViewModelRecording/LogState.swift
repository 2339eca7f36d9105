import Dispatch
import RxViewModel

/// What the lock of a ``Log`` guards: a ring of the newest entries, and what is needed to begin a recording with the oldest of them.
///
/// Every method runs under that lock, often also under a lock of an engine. So none calls user code, and none releases a value: what is
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
  /// The calls that no view model makes, by question.
  private var counts: [String: Int] = [:]
  /// The calls without an answer.
  private var open: [ObjectIdentifier: KeptEntry] = [:]
  private let isClosed: Bool

  init(limit: Int, isClosed: Bool = false) { (self.limit, stride, self.isClosed) = (limit, limit / 8, isClosed) }

  // MARK: View models

  mutating func nextModel() -> Int {
    defer { madeModels += 1 }
    return madeModels
  }

  mutating func add(_ model: RecorderTap) { if !isClosed { models.append(model) } }

  mutating func remove(where isRemoved: (RecorderTap) -> Bool) {
    lost += models.filter(isRemoved)
    models.removeAll(where: isRemoved)
  }

  // MARK: The boundary

  /// Numbers a call of an effect.
  mutating func ask(_ question: String, of caller: RecordedEffect?, isOpen: Bool) -> KeptEntry.Call {
    let effect = caller?.action == 0 ? nil : caller
    let counter = caller?.model == Entry.noModel ? nil : caller
    let count = if let counter { Self.count(question, in: &counter.counts) } else { Self.count(question, in: &counts) }
    effect?.isAnswered = false
    if isOpen, let effect {
      (effect.isMoving, effect.waiting) = (true, effect.waiting + 1)
      forget(question, of: effect)
    }
    let call = KeptEntry.Call(model: caller?.model ?? Entry.noModel, effect: effect, question: question, count: count)
    if isOpen { open[ObjectIdentifier(call)] = KeptEntry(.open, model: call.model, number: effect?.number, call: call) }
    return call
  }

  private static func count(_ question: String, in counts: inout [String: Int]) -> Int {
    if counts.count >= RecordedEffect.mostCounts { counts = [:] }
    counts[question, default: 0] += 1
    return counts[question]!
  }

  /// Appends what reaches an effect from elsewhere.
  mutating func note(_ entry: KeptEntry, of effect: RecordedEffect?) {
    append(entry)
    let isAnswer = entry.call.map { open.removeValue(forKey: ObjectIdentifier($0)) != nil } ?? false
    guard let effect else { return }
    if entry.kind.reachesEffect { effect.isReached = true }
    guard effect.action < 0, let call = entry.call else { return }
    effect.isMoving = true
    if isAnswer { (effect.isAnswered, effect.waiting, effect.answers) = (true, effect.waiting - 1, effect.answers + 1) }
    // A source begins again with the newest it has got. A stream that has ended is followed again.
    if !isAnswer, entry.kind == .error || entry.kind == .completed { return }
    forget(call.question, of: effect)
    if effect.newest.count >= RecordedEffect.mostNewest { lost.append(effect.newest.removeFirst()) }
    effect.newest.append(entry.kind == .element ? entry.changed(to: .value) : entry)
  }

  private mutating func forget(_ question: String, of source: RecordedEffect) {
    let index = source.newest.firstIndex { $0.call?.question == question }
    if let index { lost.append(source.newest.remove(at: index)) }
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
    remove { $0.isOver }
    for model in models { lost += model.forget(at: end) as [any Sendable] }
  }

  // MARK: Reading

  /// Whether a checkpoint is due, if the last one was at entry `last`.
  func isDue(since last: Int) -> Bool { last < forgotten || end >= (last / stride + 1) * stride }

  /// The entries of a recording:
  ///
  /// 1. If entries were dropped, for each older view model what it had where it rested first behind the gap. One that hasn't rested since
  ///    then has no state, and its unfinished actions instead: its entries are for looking at. Then `begin`.
  /// 2. The entries of the ring that the test can play, with the states between them.
  /// 3. The calls without an answer.
  var recorded: [KeptEntry] { recorded(from: oldest, checkpoints) }

  /// The recordings that begin with everything, and at each checkpoint behind which every view model has one.
  var excerpts: [[KeptEntry]] {
    let checkpoints = checkpoints
    let places = checkpoints.flatMap { $0.map(\.place) }.filter { place in
      place > oldest && place < end
        && zip(models, checkpoints).allSatisfy { $0.isOver || $0.start >= place || $1.contains { $0.place >= place } }
    }
    return ([oldest] + Set(places).sorted()).map { recorded(from: $0, checkpoints) }
  }

  /// The entries that have been appended behind the first `place` ones, and are still there.
  func entries(since place: Int) -> [KeptEntry] {
    (max(place, oldest)..<end).map { ring[($0 - base) % limit] }
  }

  /// The number of the oldest entry.
  private var oldest: Int { max(end - ring.count, forgotten) }

  private var checkpoints: [[Checkpoint]] { models.map { $0.checkpoints(andAt: end) } }

  private func recorded(from oldest: Int, _ checkpoints: [[Checkpoint]]) -> [KeptEntry] {
    // For each view model, the number of the first entry that the recording has of it.
    var (entries, firsts, states) = ([KeptEntry](), [Entry.noModel: oldest], [(place: Int, entry: KeptEntry)]())
    for (model, points) in zip(models, checkpoints) {
      let points = points.filter { $0.place >= oldest }
      firsts[model.model] = max(model.start, oldest)
      for (index, point) in points.enumerated() where point.state.value is any Codable {
        if index == 0 || points[index - 1].box !== point.box { states.append((point.place, point.state)) }
      }
      if model.start >= oldest { continue }
      if let point = points.first {
        firsts[model.model] = point.place
        entries += point.head
      } else if model.isOver {
        firsts[model.model] = .max
      } else {
        entries += model.unfinished
      }
    }
    if oldest > 0 { entries.append(KeptEntry(.begin, model: 0, value: oldest)) }
    states.sort { $0.place > $1.place }
    // Whether the test has the effect.
    let isPlayed = { (effect: RecordedEffect) in effect.action <= 0 || effect.place >= firsts[effect.model] ?? .max }
    for place in oldest..<end {
      while let next = states.last, next.place <= place { entries.append(states.removeLast().entry) }
      let entry = ring[(place - base) % limit]
      guard let first = firsts[entry.model], place >= first else { continue }
      if let effect = entry.call?.effect, !isPlayed(effect) { continue }
      // The test doesn't play an effect from before the beginning, so what it has executed is an action from elsewhere.
      let hasCause = entry.details?.cause.map(isPlayed) ?? true
      entries.append(hasCause ? entry : entry.changed(to: .action))
    }
    // Without marks, a replay would let the effects act by themselves.
    if oldest == 0, entries.contains(where: \.kind.reachesEffect), !entries.contains(where: \.kind.isMark) {
      entries.insert(KeptEntry(.begin, model: 0, value: 0), at: 0)
    }
    return entries + states.reversed().map(\.entry) + open.values
  }
}

/// A state of a view model that rests.
struct Checkpoint: Sendable {
  /// The number of entries before it.
  let place: Int
  /// The state in its ``Box``.
  let box: any AnyObject & Sendable
  let state: KeptEntry
  /// The entries with which a recording begins here: the view model, its screens, what its sources have got.
  let head: [KeptEntry]
}
