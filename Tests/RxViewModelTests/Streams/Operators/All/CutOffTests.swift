import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// A closure of the user disposes the subscription while an event is on its way to the subscriber.
@Suite struct CutOffTests {
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
    #expect(isDisposed.value)
    #expect(late.value == 0)
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

  @Test(arguments: ["do(onCompleted:)", "do(onDispose:)"])
  func noInnerStreamBeginsAfterADisposeInside(operation: String) {
    let (outer, inner, subscription, begun) = (
      PublishSubject<Int>(), PublishSubject<Int>(), SerialDisposable(), Locked<[Int]>([])
    )
    subscription.replace(
      with: outer.concatMap { number -> Observable<Int> in
        begun.append(number)
        return operation == "do(onDispose:)"
          ? inner.do(onDispose: { subscription.dispose() }) : inner.do(onCompleted: { subscription.dispose() })
      }.subscribe { _ in })
    outer.onNext(1)
    outer.onNext(2)
    inner.onCompleted()
    #expect(begun.value == [1])
  }

  @Test func noInnerStreamIsSubscribedToAfterADisposeInsideTheDisposeOfThePreviousOne() {
    let (outer, subscription, begun) = (PublishSubject<Int>(), SerialDisposable(), Locked<[Int]>([]))
    subscription.replace(
      with: outer.flatMapLatest { number -> Observable<Int> in
        if number == 1 { return .never().do(onDispose: { subscription.dispose() }) }
        return .deferred {
          begun.append(number)
          return .never()
        }
      }.subscribe { _ in })
    outer.onNext(1)
    outer.onNext(2)
    #expect(begun.value == [])
  }

  @Test(arguments: ["do(onError:)", "do(onDispose:)"])
  func noErrorIsHandledAfterADisposeInside(operation: String) {
    let (subject, subscription, handled) = (PublishSubject<Int>(), SerialDisposable(), Locked(0))
    let failing =
      operation == "do(onDispose:)"
      ? subject.do(onDispose: { subscription.dispose() }) : subject.do(onError: { _ in subscription.dispose() })
    subscription.replace(
      with: failing.catch { _ in
        handled.increment()
        return .never()
      }.subscribe { _ in })
    subject.onError(TestError())
    #expect(handled.value == 0)
  }
}

/// An operator sends an element and its end in one go: the element is its last, or had to wait for the end of the source.
@Suite struct LastElementTests {
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
