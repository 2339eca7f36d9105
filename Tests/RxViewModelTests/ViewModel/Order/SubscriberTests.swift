import RxViewModel
import Testing

@testable import TestSupport

// contract 1.4, 1.5, 2.5: subscribing and disposing at every point of an action's life
@Suite struct SubscriberTests {
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
