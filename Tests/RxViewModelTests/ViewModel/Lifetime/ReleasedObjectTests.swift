import RxViewModel
import Testing

@testable import TestSupport

// contract 1.3: the view model releases your objects without a lock, wherever it has held them
@Suite(.ownThread) struct ReleasedObjectTests {
  /// Its `deinit` calls the view model, and would wait forever for a lock that its thread holds.
  final class Probe: Sendable {
    private let atRelease: @Sendable () -> Void
    init(_ atRelease: @escaping @Sendable () -> Void) { self.atRelease = atRelease }
    deinit { atRelease() }
  }

  struct State: Sendable {
    var number = 0
    var probe: Probe?
  }

  struct Action: Sendable {
    var probe: Probe?
    var mode = ExecutionMode.parallel
    var effect: @Sendable () -> Observable<StateMapper<State>> = { .mutate { $0.number += 1 } }
  }

  typealias Model = ClosureViewModel<Action, State>

  /// A mapper that alone holds the object: a local constant would live to the end of its scope.
  private static func mapper(holding probe: Probe) -> StateMapper<State> {
    { state in withExtendedLifetime(probe) { state } }
  }

  /// What holds an object until the view model releases it. Each closure makes the object, and keeps no reference when it returns.
  static let places: [(name: String, release: @Sendable (Model, HandScheduler, () -> Probe) -> Void)] = [
    (
      "a queued action that is cancelled",
      { model, scheduler, probe in
        model.execute(Action(probe: probe()))
        model.cancelActions { _ in true }
        scheduler.run()
      }
    ),
    (
      "an action that completes",
      { model, scheduler, probe in
        model.execute(Action(probe: probe()))
        scheduler.run()
      }
    ),
    (
      "an action that waits at the end of the view model",
      { model, _, probe in
        model.execute(Action(probe: probe()))
        model.execute(Action(probe: nil), mode: .sequence)
        model.clear()
      }
    ),
    (
      "an action that is dropped",
      { model, scheduler, probe in
        model.execute(Action(mode: .dropWhileBusy) { .never() })
        model.execute(Action(probe: probe(), mode: .dropWhileBusy))
        scheduler.run()
      }
    ),
    (
      "an action that waits in its lane and is cancelled",
      { model, scheduler, probe in
        model.execute(Action(mode: .sequence) { .never() })
        model.execute(Action(probe: probe(), mode: .sequence))
        scheduler.run()
        model.cancelActions { $0.probe != nil }
        scheduler.run()
      }
    ),
    (
      "a debounced action, and its timer",
      { model, scheduler, probe in
        model.execute(Action(probe: probe(), mode: .switchLatest(after: .seconds(1))))
        scheduler.run()
        model.execute(Action(mode: .switchLatest(after: .seconds(1))))
        scheduler.run()
        scheduler.passTime()
        scheduler.run()
      }
    ),
    (
      "an action in a bag that is disposed",
      { model, scheduler, probe in
        let bag = DisposeBag()
        model.execute(Action(probe: probe()) { .never() }, in: bag)
        scheduler.run()
        bag.dispose()
        scheduler.run()
      }
    ),
    (
      "an action of a batch whose first one fails",
      { model, scheduler, probe in
        model.executeInSequence(Action { .error(TestError()) }, Action(probe: probe()))
        scheduler.run()
      }
    ),
    (
      "an action that follows a failed one",
      { model, scheduler, probe in
        let probe = probe()
        model.execute(
          Action { [weak model] in
            Observable.error(TestError()).then(Action(probe: probe), on: model!)
          })
        scheduler.run()
      }
    ),
    (
      "the effect of an action that is cancelled",
      { model, scheduler, probe in
        let probe = probe()
        model.execute(Action { .create { _ in Disposables.create { withExtendedLifetime(probe) {} } } })
        scheduler.run()
        model.cancelActions { _ in true }
        scheduler.run()
      }
    ),
    (
      "the effect of an action whose mapper throws",
      { model, scheduler, probe in
        let (probe, source) = (probe(), PublishSubject<Int>())
        model.execute(
          Action { source.do(onDispose: { withExtendedLifetime(probe) {} }).map { _ in { _ in throw TestError() } } })
        scheduler.run()
        source.onNext(0)
        scheduler.run()
      }
    ),
    (
      "a mapper from another thread, of an action that has been cancelled",
      { model, scheduler, probe in
        let source = PublishSubject<StateMapper<State>>()
        model.execute(Action { source.asObservable() })
        scheduler.run()
        source.onNext(mapper(holding: probe()))
        model.cancelActions { _ in true }
        scheduler.run()
      }
    ),
    (
      "a mapper from within, of an action that has been cancelled",
      { model, scheduler, probe in
        let (source, probe) = (PublishSubject<StateMapper<State>>(), Locked<Probe?>(probe()))
        model.execute(Action { source.asObservable() })
        scheduler.run()
        model.execute(
          Action { [weak model] in
            let sent = probe.exchange(for: nil)
            source.onNext { [sent] state in withExtendedLifetime(sent) { state } }
            model!.cancelActions { _ in true }
            return .empty()
          })
        scheduler.run()
      }
    ),
    (
      "a mapper that waits for an earlier ordered action",
      { model, scheduler, probe in
        let source = PublishSubject<StateMapper<State>>()
        model.execute(Action(mode: .parallelOrdered) { .never() })
        model.execute(Action(mode: .parallelOrdered) { source.asObservable() })
        scheduler.run()
        let probe = probe()
        source.onNext { [probe] state in withExtendedLifetime(probe) { state } }
        scheduler.run()
        model.cancelActions { _ in true }
        scheduler.run()
      }
    ),
    (
      "a state that the next one replaces",
      { model, scheduler, probe in
        let probe = Locked<Probe?>(probe())
        model.execute(Action { .mutate { $0.probe = probe.exchange(for: nil) } })
        scheduler.run()
        model.execute(Action { .mutate { $0.probe = nil } })
        scheduler.run()
      }
    ),
    (
      "a failure that the next one replaces",
      { model, scheduler, probe in
        model.execute(Action(probe: probe()) { .error(TestError()) })
        scheduler.run()
        model.execute(Action { .error(TestError()) })
        scheduler.run()
      }
    ),
    (
      "a failure that is kept at the end of the view model",
      { model, scheduler, probe in
        model.execute(Action(probe: probe()) { .error(TestError()) })
        scheduler.run()
        model.clear()
      }
    ),
  ]

  @Test(arguments: places.indices) func isReleasedWithoutALock(_ place: Int) async {
    let (name, release) = Self.places[place]
    let released = Locked(0)
    let hasReturned = await finish {
      let scheduler = HandScheduler()
      let model = Model(State(), scheduler: scheduler) { _, action in
        action.effect()
      } overrides: {
        $0.mode = { _, action in action.mode }
      }
      release(model, scheduler) {
        Probe { [weak model] in
          // The lock of the engine, and that of the inbox.
          _ = model?.currentState
          model?.execute(Action())
          released.mutate { $0 += 1 }
        }
      }
      // What the probe has executed.
      scheduler.run()
      withExtendedLifetime(model) {}
    }
    #expect(hasReturned && released.value == 1, "\(name)")
  }
}
