import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

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
@Suite struct ReplayOfStatesTests {
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
