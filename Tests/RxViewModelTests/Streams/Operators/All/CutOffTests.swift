import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// A closure of the user disposes the subscription while an event is on its way to the subscriber.
struct CutOffTests {
  /// The cases that have no closure, or call it only while they are being subscribed.
  private static let withoutAClosure = [
    "take(until:)", "skip", "concat, second", "merge, first", "merge, second", "merge in concat in merge",
    "merge with another type", "retry with a delay, second",
  ]

  // contract 1.4: the dispose comes from a closure of each operator, which handles the event
  @Test(arguments: OperatorCase.all.filter { !withoutAClosure.contains($0.testDescription) })
  func nothingFollowsADisposeInsideAClosure(of operation: OperatorCase) {
    let disposals = Locked(0)
    for event in [Event<Int>.next(1), .completed, .error(TestError())] {
      let (source, subscription) = (PublishSubject<Int>(), SerialDisposable())
      let (isArmed, isDisposed, late) = (Locked(false), Locked(false), Locked(0))
      let object = Lifetimes().make {
        guard isArmed.value else { return }
        subscription.dispose()
        isDisposed.mutate { $0 = true }
        disposals.increment()
      }
      let stream = operation.apply(source.asObservable(), object)
      subscription.replace(with: stream.subscribe { _ in if isDisposed.value { late.increment() } })
      source.onNext(0)
      isArmed.mutate { $0 = true }
      source.on(event)
      #expect(late.value == 0, "\(event)")
      #expect(!isDisposed.value || !source.hasObservers || operation.outlivesDispose, "\(event)")
    }
    #expect(disposals.value > 0)
  }

  // contract 1.4
  @Test func nothingFollowsADisposeInsideTheClosureOfAViewModelsStream() {
    let (screen, subscription, isDisposed, late) = (
      Screen(scheduler: ImmediateScheduler()), SerialDisposable(), Locked(false), Locked(0)
    )
    let isLoading = screen.isLoadingObservable { _ in
      subscription.dispose()
      isDisposed.mutate { $0 = true }
      return true
    }
    subscription.replace(with: isLoading.subscribe { _ in if isDisposed.value { late.increment() } })
    screen.execute(Step("never", on: Observable<Int>.never()))
    #expect(isDisposed.value && late.value == 0)
  }

  // contract 1.1, 1.4: what the stream holds is disposed before its end is passed on, and that disposes the subscription
  @Test(arguments: ["create", "do(onDispose:)"])
  func theEndIsNotDeliveredAfterADisposeInsideADisposeAction(operation: String) {
    let (source, subscription, log) = (PublishSubject<Int>(), SerialDisposable(), Locked<[String]>([]))
    let stop: @Sendable () -> Void = {
      subscription.dispose()
      log.append("disposed")
    }
    let stream: Observable<Int> =
      switch operation {
      case "create":
        .create { observer in Disposables.create(source.subscribe(observer), Disposables.create(stop)) }
      default: source.do(onDispose: stop)
      }
    subscription.replace(
      with: stream.subscribe(onNext: { log.append("\($0)") }, onCompleted: { log.append("completed") }))
    source.onNext(1)
    source.onCompleted()
    #expect(log.value == ["1", "disposed"])
  }

  private typealias Begin = @Sendable (Observable<Int>) -> Observable<Int>
  private typealias Following =
    @Sendable (Observable<Int>, @escaping Begin, @escaping @Sendable () -> Void) -> Observable<Int>

  /// A stream in which one stream follows another, the events that its source sends, and the number of streams that begin. The first one
  /// calls `stop` at its end.
  private static let following: [(make: Following, events: [Event<Int>], begun: Int)] = [
    ({ source, begin, stop in .of(1, 2).concatMap { _ in begin(source.do(onCompleted: stop)) } }, [.completed], 1),
    ({ source, begin, stop in .of(1, 2).concatMap { _ in begin(source.do(onDispose: stop)) } }, [.completed], 1),
    (
      { source, begin, stop in source.flatMapLatest { _ in .deferred { begin(.never().do(onDispose: stop)) } } },
      [.next(1), .next(2)], 1
    ),
    (
      { source, begin, stop in source.do(onError: { _ in stop() }).catch { _ in begin(.never()) } },
      [.error(TestError())], 0
    ),
    ({ source, begin, stop in source.do(onDispose: stop).catch { _ in begin(.never()) } }, [.error(TestError())], 0),
  ]

  @Test(arguments: following.indices)
  func noStreamBeginsAfterADisposeAtTheEndOfThePreviousOne(index: Int) {
    let (make, events, expected) = Self.following[index]
    let (source, subscription, begun) = (PublishSubject<Int>(), SerialDisposable(), Locked(0))
    let begin: Begin = { stream in
      begun.increment()
      return stream
    }
    let stream = make(source.asObservable(), begin) { subscription.dispose() }
    subscription.replace(with: stream.subscribe { _ in })
    for event in events { source.on(event) }
    #expect(begun.value == expected)
  }
}

/// An operator sends an element and its end in one go: the element is its last, or had to wait for the end of the source.
struct LastElementTests {
  private static let operators: [(name: String, apply: @Sendable (Observable<Int>) -> Observable<Int>)] = [
    ("take", { $0.take(1) }),
    ("take(while:inclusive:)", { $0.take(while: { _ in false }, inclusive: true) }),
    ("toArray", { $0.toArray().map { $0[0] } }),
    ("materialize", { $0.ignoreElements().materialize().map { (_: Event<Int>) in 1 } }),
    ("zip", { .zip($0, Observable.just(0)) { $0 + $1 } }),
    ("zip of four", { .zip($0, Observable.just(0), Observable.just(0), Observable.just(0)) { a, _, _, _ in a } }),
    ("catchAndReturn", { source in source.map { _ in throw TestError() }.catchAndReturn(1) }),
    ("debounce", { $0.debounce(.seconds(1), scheduler: TestScheduler()) }),
  ]

  // contract 1.4: a dispose from inside the last element's callback cuts off the completion
  @Test(arguments: operators.indices)
  func aDisposeInsideItsCallbackCutsOffTheCompletion(index: Int) {
    let (name, apply) = Self.operators[index]
    let (subject, serial, recorder) = (PublishSubject<Int>(), SerialDisposable(), Recorder<Int>())
    serial.replace(
      with: apply(subject.asObservable()).subscribe { event in
        recorder.on(event)
        serial.dispose()
      })
    subject.onNext(1)
    subject.onCompleted()
    #expect(recorder.elements == [1], "\(name)")
    #expect(recorder.end == nil, "\(name)")
    #expect(!subject.hasObservers, "\(name)")
  }
}
