import Dispatch
import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

/// Runs work at once, and counts how deep its work is nested.
private final class NestingScheduler: Scheduler {
  private let depths = Locked((now: 0, deepest: 0))

  var deepest: Int { depths.value.deepest }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    depths.mutate { depths in
      depths.now += 1
      depths.deepest = max(depths.deepest, depths.now)
    }
    work()
    depths.mutate { $0.now -= 1 }
  }

  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    Disposables.create()
  }
}

/// A block on the main queue that enqueues itself again, and so runs between any two pieces of work that wait there.
private final class RecurringBlock: Sendable {
  private let count: @Sendable () -> Int
  private let steps: Locked<(seen: Int, largest: Int)>
  private let isOver = Signal()

  /// - Parameters:
  ///   - count: A number that the other work on the queue increases.
  ///   - start: The number before that work.
  init(from start: Int, _ count: @escaping @Sendable () -> Int) {
    self.count = count
    steps = Locked((start, 0))
  }

  func enqueue(until end: Int) {
    DispatchQueue.main.async { [self] in
      let count = count()
      steps.mutate { ($0.seen, $0.largest) = (count, max($0.largest, count - $0.seen)) }
      if count < end { enqueue(until: end) } else { isOver.fire() }
    }
  }

  /// Waits for the last block, and returns the largest increase between two blocks. Nil if the last block has not run within the bound.
  func largestStep() async -> Int? {
    await onThread { self.isOver.wait() } ? steps.value.largest : nil
  }
}

private final class Total: RxViewModel<Int, Int>, @unchecked Sendable {
  override func createInitialState() -> Int { 0 }
  override func createObservable(_ action: Int) -> Observable<StateMapper<Int>> { .just { $0 + action } }
}

/// Subscribes on a thread with a small stack. In its first callback the subscriber waits until `meanwhile` has returned.
private func subscribe(
  _ recorder: Recorder<Int>, to stream: Observable<Int>, meanwhile: () -> Void
) -> any Disposable {
  let (entered, goOn, subscribed) = (Signal(), Signal(), Signal())
  let subscription = SerialDisposable()
  let thread = Thread {
    subscription.replace(
      with: stream.subscribe { event in
        recorder.on(event)
        guard case .next(0) = event else { return }
        entered.fire()
        #expect(goOn.wait())
      })
    subscribed.fire()
  }
  thread.stackSize = 512 << 10
  thread.start()
  #expect(entered.wait())
  meanwhile()
  goOn.fire()
  #expect(subscribed.wait())
  return subscription
}

// contract 1.6, 1.10: a subscriber whose first callback lasts while another thread executes thousands of actions
@Suite struct ReplayContinuationTests {
  @Test func needsNoStackOnASchedulerThatRunsWorkAtOnce() async {
    let (scheduler, recorder) = (NestingScheduler(), Recorder<Int>())
    let total = Total(scheduler: scheduler)
    let subscription = await onThread {
      subscribe(recorder, to: total.stateObservable) { for _ in 0..<10_000 { total.execute(1) } }
    }
    #expect(recorder.sent == Array(0...10_000))
    #expect(recorder.faults == [])
    #expect(scheduler.deepest <= 2)
    subscription.dispose()
  }

  @MainActor @Test func leavesTheMainActorFreeBetweenItsParts() async {
    let (total, recorder) = (Total(scheduler: MainScheduler()), Recorder<Int>())
    let block = RecurringBlock(from: 1_025) { recorder.sent.count }
    let subscription = subscribe(recorder, to: total.stateObservable) {
      for _ in 0..<10_000 { total.execute(1) }
      block.enqueue(until: 10_001)
    }
    #expect(recorder.sent.count == 1_025)
    #expect(await block.largestStep() == 1_024)
    #expect(recorder.sent == Array(0...10_000))
    #expect(recorder.faults == [])
    subscription.dispose()
  }

  // contract 2.9, 1.4
  @Test func aSubscriberThatReleasesTheViewModelAndItsSchedulerIsReleased() {
    final class Owner: @unchecked Sendable {
      let bag = DisposeBag()
      var scheduler: TestScheduler?
      var viewModel: Total?
    }
    weak var released: Owner?
    do {
      let owner = Owner()
      released = owner
      owner.scheduler = TestScheduler()
      owner.viewModel = Total(scheduler: owner.scheduler!)
      owner.viewModel!.stateObservable.subscribe { _ in
        owner.viewModel = nil
        owner.scheduler = nil
      }.disposed(by: owner.bag)
    }
    #expect(released == nil)
  }
}

// contract 1.6
@Suite(.stress) struct ReplayStackTests {
  @Test func aMillionStatesOnASmallStack() async {
    let (total, recorder) = (Total(scheduler: ImmediateScheduler()), Recorder<Int>())
    let subscription = await onThread {
      subscribe(recorder, to: total.stateObservable) { for _ in 0..<1_000_000 { total.execute(1) } }
    }
    #expect(recorder.sent == Array(0...1_000_000))
    #expect(recorder.faults == [])
    subscription.dispose()
  }
}
