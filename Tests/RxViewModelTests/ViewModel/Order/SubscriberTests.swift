import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 1.4, 1.5, 2.5: subscribing and disposing at every point of an action's life
struct SubscriberTests {
  /// The states that a subscriber has received, and the number of those that it received before `subscribe` returned.
  private struct Joined {
    var states: [Tags] = []
    var replayed = 0
    var current: Tags = []
  }

  enum Thread: CaseIterable {
    case here, other
  }

  @Test(arguments: CallbackPoint.allCases, SchedulerKind.allCases)
  func aSubscriberGetsTheCurrentStateAndEachLaterOneOnce(point: CallbackPoint, kind: SchedulerKind) async {
    for thread in Thread.allCases {
      let (joined, bag) = (Locked(Joined()), DisposeBag())
      let probe = CallbackProbe(point, on: kind, others: [Plan(.parallel, "j"), Plan(.parallel, "[mm]c")]) {
        probe in
        let join: @Sendable () -> Void = {
          probe.viewModel.stateObservable.subscribe(onNext: { state in
            joined.mutate { $0.states.append(state) }
          }).disposed(by: bag)
          joined.mutate { $0.replayed = $0.states.count }
        }
        joined.mutate { $0.current = probe.viewModel.currentState }
        switch thread {
        case .here: join()
        case .other: onOtherThread(join)
        }
        probe.viewModel.effects[0].sendNext()
        probe.viewModel.execute(2)
        probe.viewModel.execute(3)
      }
      #expect(await probe.run())
      #expect(await probe.settle())
      bag.dispose()
      let all = probe.journal.value.compactMap { line -> Tags? in
        if case .state(let tags) = line { tags } else { nil }
      }
      let seen = joined.value
      #expect(seen.replayed == 1, "\(thread)")
      #expect(seen.states.first == seen.current, "\(thread)")
      #expect(seen.states == all.suffix(seen.states.count), "\(thread)")
      #expect(seen.states.count > 3, "\(thread)")
    }
  }

  @Test(arguments: CallbackPoint.allCases, SchedulerKind.allCases)
  func aSubscriberThatIsDisposedIsNotCalledAgainAndIsReleased(point: CallbackPoint, kind: SchedulerKind) async {
    let (lifetimes, isDisposed, late) = (Lifetimes(), Locked(false), Locked<[LogEntry]>([]))
    let subscriptions = Locked<[any Disposable]>([])
    let probe = CallbackProbe(point, on: kind, others: [Plan(.parallel, "j")]) { probe in
      for subscription in subscriptions.exchange(for: []) { subscription.dispose() }
      isDisposed.mutate { $0 = true }
      probe.viewModel.effects[0].sendNext()
      probe.viewModel.execute(2)
    }
    subscriptions.mutate {
      $0 = probe.viewModel.note { [object = lifetimes.make()] line in
        object.touch()
        if isDisposed.value { late.mutate { $0.append(line) } }
      }
    }
    #expect(await probe.run())
    #expect(await probe.settle())
    #expect(late.value == [])
    // A subscriber that is disposed during a delivery is released when the delivery is over.
    #expect(await onThread { lifetimes.waitForNone() })
  }
}

private typealias Total = ClosureViewModel<Int, Int>

private func total(_ scheduler: any Scheduler) -> Total {
  Total(0, scheduler: scheduler) { _, action in .just { $0 + action } }
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
  thread.stackSize = smallStack
  thread.start()
  #expect(entered.wait())
  meanwhile()
  goOn.fire()
  #expect(subscribed.wait())
  return subscription
}

// contract 1.5, 2.1: a subscriber whose first callback lasts while another thread executes thousands of actions
struct ReplayOfStatesTests {
  @Test func theSubscribingThreadDeliversTheStatesThatAreFoldedMeanwhile() async {
    let (total, subscriber, elsewhere) = (total(ImmediateScheduler()), Locked<Thread?>(nil), Locked(0))
    let recorder = Recorder<Int> { _ in
      subscriber.mutate { if $0 == nil { $0 = .current } }
      if Thread.current !== subscriber.value { elsewhere.mutate { $0 += 1 } }
    }
    let subscription = await onThread {
      subscribe(recorder, to: total.stateObservable) { for _ in 0..<10_000 { total.execute(1) } }
    }
    #expect(recorder.sent == Array(0...10_000))
    #expect(elsewhere.value == 0)
    #expect(recorder.faults == [])
    subscription.dispose()
  }

  // contract 2.9, 1.4
  @Test func aSubscriberThatReleasesTheViewModelAndItsSchedulerIsReleased() {
    final class Owner: @unchecked Sendable {  // Sendable: only one thread uses it.
      let bag = DisposeBag()
      var scheduler: TestScheduler?
      var viewModel: Total?
    }
    weak var released: Owner?
    do {
      let owner = Owner()
      released = owner
      owner.scheduler = TestScheduler()
      owner.viewModel = total(owner.scheduler!)
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
    let (total, recorder) = (total(ImmediateScheduler()), Recorder<Int>())
    let subscription = await onThread {
      subscribe(recorder, to: total.stateObservable) { for _ in 0..<1_000_000 { total.execute(1) } }
    }
    #expect(recorder.sent == Array(0...1_000_000))
    #expect(recorder.faults == [])
    subscription.dispose()
  }
}
