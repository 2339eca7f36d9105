import RxViewModel

/// A scheduler whose time passes when the test says so.
///
///     let scheduler = TestScheduler()
///     let viewModel = SearchViewModel(scheduler: scheduler)
///     let states = viewModel.stateObservable.test(scheduler)
///     viewModel.execute(.search("swift"))
///     scheduler.advance(by: .milliseconds(300))
///     #expect(states.lastValue?.results == ["swift"])
///
/// Work runs on the thread that calls ``advance(by:)`` or ``run()``, ordered by time, and at the same instant in the order
/// in which it was scheduled. Work may be scheduled and disposed from any thread, also from inside work. Work that advances
/// the time itself runs what is due by then before it goes on; the time never goes back.
public final class TestScheduler: Scheduler {
  private struct State {
    var now = Duration.zero
    var agenda = Agenda()
  }

  private let state = Lock(State())

  /// A scheduler at time zero with nothing to do.
  public init() {}

  /// The virtual time, since the scheduler was made. May be read from any thread.
  public var now: Duration {
    state.withLock { $0.now }
  }

  /// Schedules work that is due now. It does not run before the test advances the time. O(log n).
  public func schedule(_ work: @escaping @Sendable () -> Void) {
    _ = schedule(after: .zero, work)
  }

  /// Schedules work that is due when `delay` has passed; a delay below zero counts as zero. O(log n).
  ///
  /// Disposing the result drops the work, with what it holds, at once.
  public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    let work = VirtualWork(work) { [weak self] in
      self?.state.withLock { $0.agenda.workWasDropped() }
    }
    state.withLock { $0.agenda.insert(work, at: $0.now + max(delay, .zero)) }
    return work
  }

  /// Lets time pass and runs all work that is due up to and at the new time, also what is scheduled meanwhile.
  ///
  /// Without a duration it runs what is due now.
  public func advance(by duration: Duration = .zero) {
    let target = now + max(duration, .zero)
    while let work = next(until: target) { work.run() }
    state.withLock { $0.now = max($0.now, target) }
  }

  /// Runs work until nothing is left; `now` is then the time of the last. Does not return if work goes on scheduling more.
  public func run() {
    while let work = next(until: nil) { work.run() }
  }

  /// How many pieces of work it holds, also disposed ones.
  var scheduledCount: Int {
    state.withLock { $0.agenda.count }
  }

  private func next(until target: Duration?) -> VirtualWork? {
    state.withLock { state in
      guard let (work, time) = state.agenda.popFirst(until: target) else { return nil }
      state.now = max(state.now, time)
      return work
    }
  }
}
