import RxViewModel
import Testing

/// Adds one for each action: at once, or with a subscription.
private final class Links: RxViewModel<Int, Int>, @unchecked Sendable {
  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: Int) -> Observable<StateMapper<Int>> {
    action % 2 == 0 ? .mutate { $0 += 1 } : Observable.from([1]).mutate { $0 += $1 }
  }

  override func showSpinner(_ action: Int) -> Bool { action % 3 == 0 }
}

// contract 1.6, 2.8: a hundred thousand actions, each sent from the callback of the last, on a small stack
@Suite struct ChainTests {
  #if DEBUG
    private static let length = 5_000
  #else
    private static let length = 100_000
  #endif

  private static let modes: [ExecutionMode] = [
    .parallel, .parallelOrdered, .parallelDeferred, .sequence, .switchLatest, .dropWhileBusy,
  ]

  enum Place: CaseIterable {
    case state, actionAndState, completed, loading
  }

  @Test(arguments: modes, Place.allCases)
  func eachSentFromTheCallbackOfTheLast(mode: ExecutionMode, place: Place) async {
    let length = Self.length
    let end = await onThread(stackSize: smallStack) {
      let scheduler = HandScheduler()
      let links = Links(scheduler: scheduler)
      let sent = Locked(0)
      let next: @Sendable () -> Void = { [weak links] in
        let number = sent.mutate { sent in
          defer { sent += 1 }
          return sent
        }
        if number < length { links?.execute(place == .loading ? 3 * number : number, mode: mode) }
      }
      let subscription: any Disposable =
        switch place {
        case .state: links.stateObservable.subscribe(onNext: { _ in next() })
        case .actionAndState: links.actionAndStateObservable.subscribe(onNext: { _ in next() })
        case .completed:
          links.executionObservable.subscribe(onNext: { if case .completed = $0.phase { next() } })
        case .loading: links.isLoadingObservable.subscribe(onNext: { if !$0 { next() } })
        }
      next()
      scheduler.run()
      subscription.dispose()
      return links.currentState
    }
    #expect(end == length)
  }

  // The same on a scheduler that runs work at once
  @Test(arguments: modes)
  func onTheCallersStack(mode: ExecutionMode) async {
    let length = Self.length
    let end = await onThread(stackSize: smallStack) {
      let links = Links(scheduler: ImmediateScheduler())
      let subscription = links.stateObservable.subscribe(onNext: { [weak links] state in
        if state < length { links?.execute(state, mode: mode) }
      })
      subscription.dispose()
      return links.currentState
    }
    #expect(end == length)
  }
}
