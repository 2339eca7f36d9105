import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 1.4: a dispose, or an operator's end, also ends a loop that runs while it is being subscribed.
@Suite(.stress, .serialized) struct EndlessLoopTests {
  /// A subscription to a loop, and the call that ends it.
  struct Plan: Sendable {
    /// Does not return while the loop runs.
    let run: @Sendable () -> Void
    let end: @Sendable () -> Void
  }

  struct End: Sendable, CustomTestStringConvertible {
    typealias Subscriber = @Sendable (Event<Int>) -> Void

    let testDescription: String
    /// The terminal event that the subscriber gets.
    let expected: String?
    let plan: @Sendable (Observable<Int>, @escaping Subscriber) -> Plan

    init(
      _ name: String, _ expected: String?, _ plan: @escaping @Sendable (Observable<Int>, @escaping Subscriber) -> Plan
    ) {
      testDescription = name
      self.expected = expected
      self.plan = plan
    }

    /// Disposes an enclosing subscription. The loop begins when its source sends an element.
    init(
      dispose name: String, _ enclose: @escaping @Sendable (PublishSubject<Int>, Observable<Int>) -> Observable<Int>
    ) {
      self.init("dispose of \(name)", nil) { loop, subscriber in
        let source = PublishSubject<Int>()
        let subscription = enclose(source, loop).subscribe(subscriber)
        return Plan(run: { source.onNext(0) }, end: { subscription.dispose() })
      }
    }

    /// The other source of an operator ends the stream.
    init(
      _ name: String, _ expected: String, on event: Event<Int>,
      _ combine: @escaping @Sendable (Observable<Int>, PublishSubject<Int>) -> Observable<Int>
    ) {
      self.init(name, expected) { loop, subscriber in
        let other = PublishSubject<Int>()
        return Plan(run: { _ = combine(loop, other).subscribe(subscriber) }, end: { other.on(event) })
      }
    }

    static let takeUntil = End("take(until:)", "completed", on: .next(0)) { $0.take(until: $1) }
    static let flatMapLatest = End(dispose: "flatMapLatest") { source, loop in source.flatMapLatest { _ in loop } }

    static let all = [
      takeUntil, flatMapLatest,
      End("error of take(until:)", "error", on: .error(TestError())) { $0.take(until: $1) },
      End("error of merge", "error", on: .error(TestError())) { loop, other in other.merge(with: loop) },
      End("error of combineLatest", "error", on: .error(TestError())) { .combineLatest($1, $0) { $0 + $1 } },
      End("error of combineLatest of many", "error", on: .error(TestError())) { loop, other in
        Observable.combineLatest([other.asObservable(), loop]).map { $0[0] }
      },
      End("error of zip", "error", on: .error(TestError())) { .zip($1, $0) { $0 + $1 } },
      End("error of withLatestFrom", "error", on: .error(TestError())) { $0.withLatestFrom($1) },
      End(dispose: "flatMap") { source, loop in source.flatMap { _ in loop } },
      End(dispose: "flatMap(maxConcurrent:)") { source, loop in source.flatMap(maxConcurrent: 2) { _ in loop } },
      End(dispose: "flatMapFirst") { source, loop in source.flatMapFirst { _ in loop } },
      End(dispose: "concatMap") { source, loop in source.concatMap { _ in loop } },
      End(dispose: "catch") { source, loop in
        source.map { _ in throw TestError() }.catch { _ in loop }
      },
      End(dispose: "concat") { source, loop in source.take(1).concat(loop) },
      End("dispose of a bag", nil) { loop, subscriber in
        let (source, bag) = (PublishSubject<Int>(), DisposeBag())
        source.flatMapLatest { _ in loop }.subscribe(subscriber).disposed(by: bag)
        return Plan(run: { source.onNext(0) }, end: { bag.dispose() })
      },
      End("release of a bag", nil) { loop, subscriber in
        let (source, bag) = (PublishSubject<Int>(), Locked<DisposeBag?>(DisposeBag()))
        source.flatMapLatest { _ in loop }.subscribe(subscriber).disposed(by: bag.value!)
        return Plan(run: { source.onNext(0) }, end: { bag.mutate { $0 = nil } })
      },
    ]
  }

  @Test(arguments: EndlessLoop.all, End.all)
  func anotherThreadEnds(loop: EndlessLoop, by end: End) async {
    await check(end, onLoopsThread: false) { loop.stream($0, $1) }
  }

  // The call comes from inside the 1,000th attempt.
  @Test(arguments: EndlessLoop.all, End.all)
  func anAttemptEnds(loop: EndlessLoop, by end: End) async {
    await check(end, onLoopsThread: true) { loop.stream($0, $1) }
  }

  // `create` is left out: its closure subscribes to the loop itself, and has no disposable to return before the loop ends.
  @Test(
    arguments: OperatorCase.all.filter { $0.testDescription != "create" && !$0.outlivesDispose },
    [End.takeUntil, .flatMapLatest])
  func anotherThreadEndsALoop(below operation: OperatorCase, by end: End) async {
    await check(end, onLoopsThread: false) { attempts, object in
      operation.apply(EndlessLoop.all[0].stream(attempts, object), object)
    }
  }

  private func check(
    _ end: End, onLoopsThread: Bool, _ make: @escaping @Sendable (Attempts, Lifetimes.Object) -> Observable<Int>
  ) async {
    let (attempts, lifetimes, ends) = (Attempts(), Lifetimes(), Locked<[String]>([]))
    await onThread {
      let (reached, hasReturned) = (Signal(), Signal())
      let endLoop: @Sendable () -> Void
      do {
        let plan = end.plan(make(attempts, lifetimes.make())) { event in
          switch event {
          case .next: break
          case .error: ends.mutate { $0.append("error") }
          case .completed: ends.mutate { $0.append("completed") }
          }
        }
        endLoop = plan.end
        attempts.atThousandth {
          if onLoopsThread {
            plan.end()
            attempts.areOver()
          }
          reached.fire()
        }
        Thread {
          plan.run()
          hasReturned.fire()
        }.start()
      }
      #expect(reached.wait())
      if !onLoopsThread {
        endLoop()
        attempts.areOver()
      }
      #expect(hasReturned.wait())
      #expect(lifetimes.waitForNone())
      withExtendedLifetime(endLoop) {}
    }
    attempts.expectEnded()
    #expect(ends.value == (end.expected.map { [$0] } ?? []))
  }
}
