import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

struct MemoryTests {
  // contract 1.3, 2.5: a state is released as soon as the next one replaces it, with no lock held
  @Test(arguments: [true, false])
  func aReplacedStateIsReleasedAtOnce(isObserved: Bool) async {
    let gone = Locked<[Int]>([])
    let isFree = await finish {
      let scheduler = TestScheduler()
      let tracer = ClosureViewModel<Int, CountedID?>(nil, scheduler: scheduler) { tracer, number in
        .just { [weak tracer] _ in
          CountedID(number) { [weak tracer] in
            _ = tracer?.currentState
            tracer?.cancelActions { _ in false }
            gone.mutate { $0.append(number) }
          }
        }
      }
      let subscription = isObserved ? tracer.stateObservable.subscribe { _ in } : Disposables.create()
      for number in 1...3 { tracer.execute(number) }
      scheduler.run()
      #expect(gone.value == [1, 2])
      subscription.dispose()
      withExtendedLifetime(tracer) {}
    }
    #expect(isFree)
  }
}

/// An action, or a state, that retains a counted object.
private struct Load: Sendable {
  enum Kind: CaseIterable {
    case just, several, later, failing, failingInAMapper, resigning, empty, never
  }

  let object: Lifetimes.Object
  var kind = Kind.just
}

private typealias Carrier = ClosureViewModel<Load, Load>

extension Carrier {
  /// Captures counted objects in the effects and the mappers of its actions. Some effects wait for the gate.
  fileprivate static func make(_ lifetimes: Lifetimes, _ gate: PublishSubject<Int>, _ scheduler: any Scheduler)
    -> Carrier
  {
    Carrier(Load(object: lifetimes.make()), scheduler: scheduler) { _, action in
      let captured = lifetimes.make()
      let mapper: StateMapper<Load> = { _ in
        captured.touch()
        return Load(object: lifetimes.make())
      }
      let tracked = Observable<Int>.create { observer in
        captured.touch()
        return gate.subscribe(observer)
      }
      switch action.kind {
      case .just: return .just(mapper)
      case .several: return .of(mapper, mapper)
      case .later: return tracked.map { _ in mapper }
      case .failing: return tracked.map { _ in mapper }.concat(Effect.error(TestError()))
      case .failingInAMapper: return .of(mapper, { _ in throw TestError() })
      case .resigning: return .error(CancellationError())
      case .empty: return .empty()
      case .never: return tracked.filter { _ in false }.map { _ in mapper }
      }
    } overrides: {
      $0.spins = { _, action in action.kind == .later }
    }
  }
}

extension MemoryTests {
  // An idle view model retains nothing of finished actions: neither the actions, nor their effects and mappers, nor any state but the
  // current one. It keeps the last failure for its views (contract 3.5), which is the one of the action executed last here.
  @Test(arguments: ExecutionMode.all, [true, false])
  func anIdleViewModelHoldsNothingOfFinishedActions(mode: ExecutionMode, isObserved: Bool) async {
    let (lifetimes, scheduler, bag) = (Lifetimes(), HandScheduler(), DisposeBag())
    let gate = PublishSubject<Int>()
    let carrier = Carrier.make(lifetimes, gate, scheduler)
    if isObserved {
      carrier.stateObservable.subscribe { _ in }.disposed(by: bag)
      carrier.actionAndStateObservable.subscribe { _ in }.disposed(by: bag)
      carrier.actionAndErrorObservable.subscribe { _ in }.disposed(by: bag)
      carrier.executionObservable.subscribe { _ in }.disposed(by: bag)
      carrier.isLoadingObservable(where: { _ in true }).subscribe { _ in }.disposed(by: bag)
    }
    for round in 0..<2 {
      for kind in Load.Kind.allCases + Load.Kind.allCases.reversed() {
        carrier.execute(Load(object: lifetimes.make(), kind: kind), mode: mode)
      }
      func load(_ kind: Load.Kind) -> Load { Load(object: lifetimes.make(), kind: kind) }
      carrier.executeInSequence(load(.resigning), load(.just), load(.later))
      carrier.executeInSequence(load(.just), load(.later), load(.just))
      scheduler.run()
      // In some modes, the actions that wait for the gate run one after the other.
      for number in 0..<8 {
        gate.onNext(number)
        if round == 1, number == 6 { gate.onCompleted() }
        scheduler.run()
      }
      carrier.cancelActions { [tracked = lifetimes.make()] _ in
        tracked.touch()
        return true
      }
      carrier.execute(load(.failingInAMapper), mode: .parallel)
      scheduler.run()
      #expect(lifetimes.alive == 2)
      #expect(!gate.hasObservers)
    }
    bag.dispose()
  }

  // The same for actions that a task has awaited.
  @Test func anIdleViewModelHoldsNothingOfPerformedActions() async {
    let lifetimes = Lifetimes()
    let carrier = Carrier.make(lifetimes, PublishSubject(), ImmediateScheduler())
    for mode in ExecutionMode.all {
      for kind: Load.Kind in [.just, .several, .failingInAMapper, .resigning, .empty] {
        _ = try? await carrier.perform(Load(object: lifetimes.make(), kind: kind), mode: mode)
      }
      let performing = Task { try await carrier.perform(Load(object: lifetimes.make(), kind: .never), mode: mode) }
      performing.cancel()
      _ = try? await performing.value
    }
    carrier.execute(Load(object: lifetimes.make(), kind: .failingInAMapper))
    #expect(lifetimes.alive == 2)
  }

  // A mapper ends its own action. The state that it returns does not become the current one, and is released with the action.
  @Test(arguments: [true, false])
  func aStateThatNeverBecomesCurrentIsReleased(isCleared: Bool) {
    let (scheduler, lifetimes) = (HandScheduler(), Lifetimes())
    let holder = ClosureViewModel<Int, Lifetimes.Object?>(nil, scheduler: scheduler) { holder, _ in
      .just { [weak holder] _ in
        if isCleared { holder?.clear() } else { holder?.cancelActions { _ in true } }
        return lifetimes.make()
      }
    }
    holder.execute(1)
    scheduler.run()
    #expect(lifetimes.alive == 0)
    withExtendedLifetime(holder) {}
  }

  #if os(Linux)
    // A view model that ran many actions is as large as a new one. The test runs in a process of its own, where no other test allocates.
    @Test(.stress, .ownThread) func aViewModelDoesNotGrow() async {
      await #expect(processExitsWith: .success) {
        #if DEBUG
          let million = 50_000
        #else
          let million = 1_000_000
        #endif
        let numbers = Grower(scheduler: ImmediateScheduler())
        checkGrowth(below: 4_096, from: 2_000, to: million, numbers.work)
      }
    }

    // contract 2.13: neither does the bag of the actions grow
    @Test(.stress, .ownThread) func aScopeDoesNotGrow() async {
      await #expect(processExitsWith: .success) {
        let (numbers, scope) = (Grower(scheduler: ImmediateScheduler()), DisposeBag())
        checkGrowth(below: 1_024, from: 1_000, to: 100_000) { for _ in 0..<$0 { numbers.execute(0, in: scope) } }
      }
    }

    // contract 2.13: a bag that outlives its view models retains nothing of them
    @Test(.stress, .ownThread) func aBagDoesNotGrowWithItsViewModels() async {
      await #expect(processExitsWith: .success) {
        let scope = DisposeBag()
        checkGrowth(below: 4_096, from: 1_000, to: 20_000) { count in
          for _ in 0..<count { Grower(scheduler: ImmediateScheduler()).execute(0, in: scope) }
        }
      }
    }

    // A view model does not keep the memory for many actions that ran or waited at the same time.
    @Test(.stress, .ownThread) func aViewModelShrinksAfterManyActionsAtOnce() async {
      await #expect(processExitsWith: .success) {
        let numbers = Grower(scheduler: HandScheduler())
        // The memory that glibc keeps for this thread counts too. A table for all these actions would be ten times as large.
        checkGrowth(below: 65_536, from: 100, to: 20_000, numbers.crowd)
      }
    }
  #endif
}

/// Runs many actions in all modes.
private final class Grower: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores one `let`.
  let gate = PublishSubject<Int>()

  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: Int) -> Effect {
    switch action % 4 {
    case _ where action < 0: .never()
    case 0: .mutate { $0 += 1 }
    case 1: .from([{ @Sendable (state: Int) throws -> Int in state + 1 } as StateMapper<Int>])
    case 2: .error(TestError())
    default: gate.mutate { $0 += $1 }
    }
  }

  override func showSpinner(_ action: Int) -> Bool { action % 5 == 0 }

  /// Runs actions one after the other. Every fourth one waits for the gate.
  func work(_ count: Int) {
    for number in 0..<count {
      execute(number, mode: ExecutionMode.all[(number / 4) % 6])
      if number % 4 == 3 { gate.onNext(1) }
      if number % 4 == 3 { cancelActions { _ in true } }
    }
  }

  /// Runs actions that are all unfinished at once, some in lanes of their own and some in one lane.
  func crowd(_ count: Int) {
    let hand = scheduler as! HandScheduler
    for number in 0..<count {
      let modes: [ExecutionMode] = [
        .parallel, .parallelOrdered, .parallelDeferred, .sequence, .switchLatest("\(number)"),
        .dropWhileBusy("\(number)"), .sequence("\(number)"),
      ]
      execute(-1, mode: modes[number % 7])
    }
    hand.run()
    cancelActions { _ in true }
    hand.run()
  }
}
