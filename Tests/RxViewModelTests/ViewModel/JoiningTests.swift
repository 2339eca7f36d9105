import RxViewModel
import Testing

// contract 1.4, 1.5, 2.5: subscribing and disposing at every point of an action's life
@Suite struct JoiningTests {
  /// What a subscriber has got, and how much of it before `subscribe` returned.
  private struct Joined {
    var states: [Tags] = []
    var replayed = 0
    var current: Tags = []
  }

  enum Thread: CaseIterable {
    case here, other
  }

  @Test(arguments: Spot.allCases, Ground.allCases)
  func aSubscriberGetsTheCurrentStateAndEachLaterOneOnce(spot: Spot, ground: Ground) async {
    for thread in Thread.allCases {
      let (joined, bag) = (Locked(Joined()), DisposeBag())
      let encounter = Encounter(spot, on: ground, others: [Plan(.parallel, "j"), Plan(.parallel, "[mm]c")]) {
        encounter in
        let join: @Sendable () -> Void = {
          encounter.actor.stateObservable.subscribe(onNext: { state in
            joined.mutate { $0.states.append(state) }
          }).disposed(by: bag)
          joined.mutate { $0.replayed = $0.states.count }
        }
        joined.mutate { $0.current = encounter.actor.currentState }
        switch thread {
        case .here: join()
        case .other: elsewhere(join)
        }
        encounter.actor.effects[0].sendNext()
        encounter.actor.execute(2)
        encounter.actor.execute(3)
      }
      #expect(await encounter.run())
      #expect(await encounter.settle())
      bag.dispose()
      let all = encounter.journal.value.compactMap { line -> Tags? in
        if case .state(let tags) = line { tags } else { nil }
      }
      let seen = joined.value
      #expect(seen.replayed == 1, "\(thread)")
      #expect(seen.states.first == seen.current, "\(thread)")
      #expect(seen.states == all.suffix(seen.states.count), "\(thread)")
      #expect(seen.states.count > 3, "\(thread)")
    }
  }

  @Test(arguments: Spot.allCases, Ground.allCases)
  func aSubscriberThatIsDisposedIsNotCalledAgainAndIsReleased(spot: Spot, ground: Ground) async {
    let (lifetimes, isDisposed, late) = (Lifetimes(), Locked(false), Locked<[Line]>([]))
    let subscriptions = Locked<[any Disposable]>([])
    let encounter = Encounter(spot, on: ground, others: [Plan(.parallel, "j")]) { encounter in
      for subscription in subscriptions.mutate({ subscriptions in
        defer { subscriptions = [] }
        return subscriptions
      }) {
        subscription.dispose()
      }
      isDisposed.mutate { $0 = true }
      encounter.actor.effects[0].sendNext()
      encounter.actor.execute(2)
    }
    subscriptions.mutate {
      $0 = encounter.actor.note { [object = lifetimes.make()] line in
        object.touch()
        if isDisposed.value { late.mutate { $0.append(line) } }
      }
    }
    #expect(await encounter.run())
    #expect(await encounter.settle())
    #expect(late.value == [])
    // What is disposed during a delivery is released when that is over.
    #expect(await onThread { lifetimes.waitForNone() })
  }
}
