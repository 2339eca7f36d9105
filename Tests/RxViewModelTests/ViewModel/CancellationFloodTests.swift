import RxViewModel
import Testing

// contract 2.2, 2.3: requests to cancel that keep coming prevent neither the start of an action nor the folding of its mappers. Each
// predicate requests the next cancellation.
@Suite struct CancellationFloodTests {
  private static let bound = 1_024

  /// Requests cancellations without end: each call of a predicate requests the next one.
  private final class Flood: Sendable {
    /// The number of requests after which the flood stops by itself, so that a failing test ends.
    static let brake = 20_000

    let requests = Locked(0)
    private let isOver = Locked(false)

    /// Precondition: the action "idle" is unfinished. The predicate runs for this action once per request.
    func request(of screen: Screen) {
      screen.cancelActions { [weak screen, self] action in
        guard action.name == "idle", let screen, !isOver.value else { return false }
        let count = requests.mutate { requests in
          requests += 1
          return requests
        }
        if count < Self.brake { request(of: screen) }
        return false
      }
    }

    func stop() {
      isOver.mutate { $0 = true }
    }
  }

  private let scheduler = HandScheduler()

  private func screen() -> Screen {
    let screen = Screen(scheduler: scheduler)
    screen.execute(Step("idle") { .never() })
    scheduler.run()
    return screen
  }

  // contract 2.11: cancellations that are requested before a fold come before it, but at most 1,024 of them in a turn
  @Test(arguments: [true, false])
  func aFoldWaitsForABoundedNumberOfRequests(isJust: Bool) {
    let (screen, flood, handled, bag) = (screen(), Flood(), Locked<Int?>(nil), DisposeBag())
    screen.stateObservable.subscribe(onNext: { state in
      if state != ["a"] { return }
      handled.mutate { $0 = flood.requests.value }
      flood.stop()
    }).disposed(by: bag)
    let mapper: StateMapper<[String]> = { [weak screen] state in
      flood.request(of: screen!)
      return state + ["a"]
    }
    screen.execute(Step("a") { isJust ? .just(mapper) : .of(mapper) })
    scheduler.run()
    #expect(screen.currentState == ["a"])
    #expect(handled.value.map { (1...Self.bound).contains($0) } == true, "\(handled.value ?? -1) requests")
    bag.dispose()
  }

  // The flood begins before the actions have been accepted.
  @Test func theActionsThatAreExecutedMeanwhileAreFolded() {
    let (screen, flood, handled, bag) = (screen(), Flood(), Locked<Int?>(nil), DisposeBag())
    screen.stateObservable.subscribe(onNext: { state in
      if state.count < 5 { return }
      handled.mutate { $0 = flood.requests.value }
      flood.stop()
    }).disposed(by: bag)
    flood.request(of: screen)
    for number in 1...5 { screen.execute(Step("\(number)")) }
    scheduler.run()
    #expect(screen.currentState == ["1", "2", "3", "4", "5"])
    #expect(handled.value.map { $0 < Flood.brake } == true, "\(handled.value ?? -1) requests")
    bag.dispose()
  }

  // The mappers come from outside the view model's own work.
  @Test func theMappersFromElsewhereAreFolded() {
    let (screen, flood, handled, bag) = (screen(), Flood(), Locked<Int?>(nil), DisposeBag())
    let source = PublishSubject<String>()
    screen.execute(Step("source") { source.mutate { $0.append($1) } })
    scheduler.run()
    screen.stateObservable.subscribe(onNext: { state in
      if state.count < 5 { return }
      handled.mutate { $0 = flood.requests.value }
      flood.stop()
    }).disposed(by: bag)
    flood.request(of: screen)
    for number in 1...5 { source.onNext("\(number)") }
    scheduler.run()
    #expect(screen.currentState == ["1", "2", "3", "4", "5"])
    #expect(handled.value.map { $0 < Flood.brake } == true, "\(handled.value ?? -1) requests")
    bag.dispose()
  }
}
