import RxViewModel
import RxViewModelTesting
import Testing

/// A state that does something when it goes.
private final class Trace: Sendable {
  let number: Int
  let onDeinit: @Sendable () -> Void

  init(_ number: Int, onDeinit: @escaping @Sendable () -> Void) {
    self.number = number
    self.onDeinit = onDeinit
  }

  deinit { onDeinit() }
}

private final class Tracer: RxViewModel<Int, Trace>, @unchecked Sendable {  // Sendable: all are let.
  let gone: @Sendable (Int, Tracer?) -> Void

  init(scheduler: any Scheduler, gone: @escaping @Sendable (Int, Tracer?) -> Void) {
    self.gone = gone
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> Trace { Trace(0) {} }

  override func createObservable(_ action: Int) -> Observable<StateMapper<Trace>> {
    .just { [weak self, gone] _ in Trace(action) { [weak self] in gone(action, self) } }
  }
}

@Suite struct MemoryTests {
  // contract 1.3, 2.5: a state is let go as soon as the next one is there, and with no lock held
  @Test(arguments: [true, false])
  func aStateThatHasBeenReplacedGoes(isObserved: Bool) async {
    let gone = Locked<[Int]>([])
    let isFree = await finish {
      let scheduler = TestScheduler()
      let tracer = Tracer(scheduler: scheduler) { number, tracer in
        _ = tracer?.currentState.number
        tracer?.cancelActions { _ in false }
        gone.mutate { $0.append(number) }
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
