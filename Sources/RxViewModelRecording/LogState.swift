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
    if isOpen {
      open[ObjectIdentifier(call)] = KeptEntry(
        .open, model: call.model, number: effect?.number, call: call, time: DispatchTime.now().uptimeNanoseconds)
    }
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
    effect.newest.append(entry.past)
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

  /// What a recording is made of. It costs O(1) for each view model that has rested, O(n log n) for one with n unfinished actions that
  /// hasn't, and one copy of the ring if an entry comes while it is in use.
  var contents: LogContents {
    let models = models.map { model in
      let checkpoints = model.checkpoints(andAt: end)
      let hasRested = model.isOver || model.start >= oldest || (checkpoints.last?.place ?? -1) >= oldest
      return LogContents.Model(
        number: model.model, start: model.start, isOver: model.isOver, checkpoints: checkpoints,
        unfinished: hasRested ? [] : model.unfinished)
    }
    return LogContents(
      ring: ring, base: base, oldest: oldest, end: end, models: models, open: Array(open.values))
  }

  /// The entries that have been appended behind the first `place` ones, and are still there.
  func entries(since place: Int) -> [KeptEntry] {
    (max(place, oldest)..<end).map { ring[($0 - base) % limit] }
  }

  /// The number of the oldest entry.
  private var oldest: Int { max(end - ring.count, forgotten) }
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
