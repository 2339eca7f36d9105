import RxViewModel

/// A piece of work in an ``Agenda``, with a closure that runs when it is due, and one that runs if it is dropped before.
final class VirtualWork: Disposable, @unchecked Sendable {  // Sendable: the variables are the owner's, under its lock.
  /// The closures of a piece of work. It retains them until it has run.
  struct Body {
    /// Runs when the work is due.
    private(set) var run: @Sendable () -> Void
    /// Runs instead of `run` if the work is dropped, or if the release of the scheduler drops it.
    var onDrop: (@Sendable () -> Void)?
    private(set) var origin: (any WorkOrigin)?
    /// The thread that has scheduled it, if it is a job of a task.
    var jobOf: ThreadID?

    init(run: @escaping @Sendable () -> Void, onDrop: (@Sendable () -> Void)? = nil) {
      (self.run, self.onDrop) = (run, onDrop)
    }

    /// This work, which runs in the context of `origin`, and of the effect of an action.
    func inside(_ origin: (any WorkOrigin)?, _ action: EffectAction?) -> Body {
      var body = self
      if let action { body.run = { [run] in EffectTasks.$action.withValue(action, operation: run) } }
      if let origin { body.run = { [run = body.run] in Taps.$origin.withValue(origin, operation: run) } }
      body.origin = origin
      return body
    }
  }

  let time: Duration
  /// Whether the work was scheduled with a delay, if only of zero.
  let isTimer: Bool
  fileprivate var number: UInt64 = 0
  /// Whether the work is in the agenda of other threads' work.
  var isFromAnotherThread = false
  fileprivate var body: Body?
  private let owner: VirtualTime

  init(at time: Duration, isTimer: Bool, of owner: VirtualTime, _ body: Body) {
    (self.time, self.isTimer, self.owner, self.body) = (time, isTimer, owner, body)
  }

  /// The context in which the work was scheduled, if a recorder knows it.
  var origin: (any WorkOrigin)? { body?.origin }

  /// The thread that has scheduled it, if it is a job of a task.
  var jobOf: ThreadID? { body?.jobOf }

  func dispose() {
    _ = owner.remove(self)
  }

  /// Disposes the work and, unless it has run, calls `onDrop`.
  func drop() {
    owner.remove(self)?.onDrop?()
  }

  func takeBody() -> Body? {
    body.take()
  }

  fileprivate func isBefore(_ other: VirtualWork) -> Bool {
    (time, number) < (other.time, other.number)
  }
}

/// The waiting work, ordered by time and, at the same instant, by insertion: a sorted array.
///
/// The methods return the removed work instead of releasing it, because the caller holds a lock.
struct Agenda {
  private(set) var works: ArraySlice<VirtualWork> = []
  private var inserted: UInt64 = 0

  /// The time at which the first piece of work is due.
  var nextTime: Duration? { works.first?.time }

  /// The first time after `time` at which a piece of work is due. O(n) if work is due by then, else O(1).
  func nextTime(after time: Duration) -> Duration? {
    works.first { $0.time > time }?.time
  }

  /// Inserts a piece of work: at the end in O(log n), elsewhere it moves those behind it.
  mutating func insert(_ work: VirtualWork) {
    inserted += 1
    work.number = inserted
    works.insert(work, at: index(of: work))
  }

  /// Removes the first piece of work. O(1).
  mutating func popFirst() -> VirtualWork.Body? {
    works.popFirst()?.takeBody()
  }

  /// Removes `work`, unless it no longer waits.
  mutating func remove(_ work: VirtualWork) -> VirtualWork.Body? {
    let index = index(of: work)
    guard index < works.endIndex, works[index] === work else { return nil }
    return works.remove(at: index).takeBody()
  }

  /// Removes all work, in its order.
  mutating func removeAll() -> ArraySlice<VirtualWork> {
    defer { works = [] }
    return works
  }

  /// The place of the first piece of work that is not before `work`.
  private func index(of work: VirtualWork) -> Int {
    var (low, high) = (works.startIndex, works.endIndex)
    while low < high {
      let middle = (low + high) / 2
      if works[middle].isBefore(work) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
