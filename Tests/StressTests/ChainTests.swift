import RxViewModel
import Testing

@testable import TestSupport

/// Adds one for each action: at once for an even action, with a subscription to a stream for an odd one.
private final class Links: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores nothing.
  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: Int) -> Effect {
    action % 2 == 0 ? .mutate { $0 += 1 } : Observable.from([1]).mutate { $0 += $1 }
  }

  override func showSpinner(_ action: Int) -> Bool { action % 3 == 0 }
}

// contract 1.6, 2.8: a hundred thousand actions on a small stack, each executed from the callback of the one before
@Suite(.stress) struct ChainTests {
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
  func aChainOfActionsNeedsNoStack(mode: ExecutionMode, place: Place) async {
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

  // The same on a scheduler that runs work at once.
  @Test(arguments: modes)
  func aChainOfActionsOnAnImmediateSchedulerNeedsNoStack(mode: ExecutionMode) async {
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

  // Each view model executes its actions on the stack of the other.
  @Test func twoViewModelsThatAnswerEachOtherNeedNoStack() async {
    let length = Self.length
    let end = await onThread(stackSize: smallStack) {
      let (one, other) = (Links(scheduler: ImmediateScheduler()), Links(scheduler: ImmediateScheduler()))
      let bag = DisposeBag()
      one.stateObservable.subscribe(onNext: { [weak other] in other?.execute($0) }).disposed(by: bag)
      other.stateObservable.subscribe(onNext: { [weak one] in if $0 < length { one?.execute($0) } }).disposed(by: bag)
      bag.dispose()
      return other.currentState
    }
    #expect(end == length)
  }

  enum Sender: CaseIterable {
    case mapper, state, actionAndState, emitted, allAtOnce
  }

  // The same for the mappers of one action.
  @Test(arguments: Sender.allCases, [ExecutionMode.parallel, .parallelOrdered])
  func aChainOfMappersNeedsNoStack(sender: Sender, mode: ExecutionMode) async {
    let length = Self.length
    let end = await onThread(stackSize: smallStack) {
      let (source, scheduler) = (PublishSubject<Int>(), HandScheduler())
      let numbers = Numbers(scheduler: scheduler, source: source, inMapper: sender == .mapper ? length : 0)
      let next: @Sendable (Int) -> Void = { state in
        if sender == .allAtOnce {
          if state == 1 { for _ in 1..<length { source.onNext(1) } }
        } else if state < length, state > 0 {
          source.onNext(1)
        }
      }
      let subscription: any Disposable =
        switch sender {
        case .actionAndState: numbers.actionAndStateObservable.subscribe(onNext: { next($0.state) })
        case .emitted:
          numbers.executionObservable.subscribe(onNext: { if case .emitted(let state) = $0.phase { next(state) } })
        case .mapper: Disposables.create()
        default: numbers.stateObservable.subscribe(onNext: next)
        }
      numbers.execute(0, mode: mode)
      scheduler.run()
      source.onNext(1)
      scheduler.run()
      subscription.dispose()
      return numbers.currentState
    }
    #expect(end == length)
  }
}

/// Adds each element of its source to the state. A mapper sends the next element until the state reaches `limit`.
private final class Numbers: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores only `let`s.
  let source: PublishSubject<Int>
  let limit: Int

  init(scheduler: any Scheduler, source: PublishSubject<Int>, inMapper limit: Int) {
    self.source = source
    self.limit = limit
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: Int) -> Effect {
    source.mutate { [source, limit] state, number in
      state += number
      if state < limit { source.onNext(1) }
    }
  }
}
