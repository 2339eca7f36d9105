import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// contract 1.3: the library releases no object of the user's under a lock. The `deinit` of each object here takes every lock that may be
/// held when it is released.
struct ReleaseWithoutALockTests {
  /// An element or an error, or what a closure captures.
  final class Talker: Error, Sendable {
    private let atRelease: @Sendable () -> Void

    init(_ atRelease: @escaping @Sendable () -> Void = {}) { self.atRelease = atRelease }

    deinit { atRelease() }
  }

  /// A stream in which elements wait: for a scheduler, a timer, a partner, or a place.
  struct Chain: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (Observable<Talker>, TestScheduler) -> Observable<Talker>

    init(
      _ name: String, _ make: @escaping @Sendable (Observable<Talker>, TestScheduler) -> Observable<Talker>
    ) { (testDescription, self.make) = (name, make) }

    static let all = [
      Chain("subject") { source, _ in source },
      Chain("merge") { source, _ in .merge(source, source) },
      Chain("zip") { source, _ in .zip(source, source.skip(2)) { a, _ in a } },
      Chain("combineLatest") { source, _ in .combineLatest(source, source) { a, _ in a } },
      Chain("withLatestFrom") { source, _ in source.withLatestFrom(source) },
      Chain("concatMap") { source, _ in source.concatMap { Observable.just($0).concat(.never()) } },
      Chain("flatMapLatest") { source, _ in source.flatMapLatest { Observable.just($0).concat(.never()) } },
      Chain("catch") { source, _ in source.catch { _ in .never() } },
      Chain("combinePrevious") { source, _ in source.combinePrevious().map(\.current) },
      Chain("share(replay:)") { source, _ in source.share(replay: 2) },
      Chain("observe(on:)") { $0.observe(on: $1) },
      Chain("subscribe(on:)") { $0.subscribe(on: $1) },
      Chain("delay") { $0.delay(.seconds(1), scheduler: $1) },
      Chain("debounce") { $0.debounce(.seconds(1), scheduler: $1) },
      Chain("throttle") { $0.throttle(.seconds(1), scheduler: $1) },
      Chain("timeout") { $0.timeout(.seconds(1), scheduler: $1) },
      Chain("continuesAfterDispose") { source, _ in source.continuesAfterDispose() },
    ]
  }

  enum End: CaseIterable { case dispose, disposeInside, complete, fail, release }

  private static let subjects: [@Sendable () -> RxSubject<Talker>] = [
    { PublishSubject() }, { BehaviorSubject(value: Talker()) }, { ReplaySubject(bufferSize: 2) },
  ]

  @Test(.ownThread, arguments: Chain.all, End.allCases)
  func aDeinitMayUseTheStream(_ chain: Chain, _ end: End) async {
    let (made, released) = (Locked(0), Locked(0))
    let hasFinished = await finish {
      for make in Self.subjects {
        let scheduler = TestScheduler()
        Self.run(make(), chain.make, end, scheduler) { use in
          made.increment()
          return Talker {
            released.increment()
            use()
          }
        }
      }
    }
    #expect(hasFinished)
    #expect(made.value == released.value)
  }

  /// Sends four objects, one of them inside the delivery of another, and ends the stream.
  private static func run(
    _ subject: RxSubject<Talker>, _ make: (Observable<Talker>, TestScheduler) -> Observable<Talker>, _ end: End,
    _ scheduler: TestScheduler, _ talker: @escaping @Sendable (@escaping @Sendable () -> Void) -> Talker
  ) {
    let (subject, seen) = (Locked(Optional(subject)), Locked(0))
    let bag = DisposeBag()
    let use: @Sendable () -> Void = { [weak current = subject.value, weak bag] in
      _ = current?.hasObservers
      current?.subscribe(onNext: { _ in }).dispose()
      current?.onNext(Talker())
      if current == nil { bag?.dispose() }
    }
    let stream = make(subject.value!.asObservable(), scheduler)
    stream.subscribe(
      onNext: { [captured = talker(use)] _ in
        if seen.increment() == 2 {
          subject.value?.onNext(talker(use))
          if end == .disposeInside { bag.dispose() }
        }
        withExtendedLifetime(captured) {}
      }, onError: { _ in }
    ).disposed(by: bag)
    for _ in 0..<3 { subject.value?.onNext(talker(use)) }
    scheduler.advance(by: .milliseconds(1))
    subject.value?.onNext(talker(use))
    switch end {
    case .dispose, .disposeInside: bag.dispose()
    case .complete: subject.value?.onCompleted()
    case .fail: subject.value?.onError(talker(use))
    case .release: subject.mutate { $0.take() }
    }
    scheduler.advance(by: .seconds(2))
    subject.mutate { $0.take() }
    bag.dispose()
  }
}
