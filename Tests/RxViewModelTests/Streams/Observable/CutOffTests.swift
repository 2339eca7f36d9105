import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// A closure of an operator disposes the subscription while an event is on its way to the callback.
@Suite struct CutOffTests {
  typealias Build = @Sendable (Observable<Int>, @escaping @Sendable () -> Void) -> Observable<Int>

  static let operators: [(name: String, build: Build)] = [
    ("do(onNext:)", { source, stop in source.do(onNext: { _ in stop() }) }),
    ("do(onNext:), do(onDispose:)", { source, stop in source.do(onNext: { _ in stop() }).do(onDispose: {}) }),
    ("map", { source, stop in source.map { stopping($0, stop) } }),
    ("filter", { source, stop in source.filter { stopping($0, stop) > 0 } }),
    ("compactMap", { source, stop in source.compactMap { stopping($0, stop) } }),
    ("scan", { source, stop in source.scan(0) { stopping($0 + $1, stop) } }),
    (
      "distinctUntilChanged",
      { source, stop in source.startWith(0).distinctUntilChanged { stopping($1, stop) == $0 }.skip(1) }
    ),
    ("take(while:)", { source, stop in source.take(while: { stopping($0, stop) > 0 }) }),
    ("take", { source, stop in source.do(onNext: { _ in stop() }).take(1) }),
    ("materialize", { source, stop in source.do(onNext: { _ in stop() }).materialize().map { _ in 0 } }),
    ("combineLatest", { source, stop in .combineLatest(source, Observable.just(1)) { a, _ in stopping(a, stop) } }),
    (
      "combineLatest of three",
      { source, stop in
        .combineLatest(source, Observable.just(1), Observable.just(2)) { a, _, _ in stopping(a, stop) }
      }
    ),
    ("zip", { source, stop in .zip(source, Observable.of(1, 2)) { a, _ in stopping(a, stop) } }),
    ("withLatestFrom", { source, stop in source.withLatestFrom(Observable.just(1)) { a, _ in stopping(a, stop) } }),
    ("flatMap", { source, stop in source.flatMap { Observable.just(stopping($0, stop)) } }),
    ("flatMapLatest", { source, stop in source.flatMapLatest { Observable.just(stopping($0, stop)) } }),
    ("flatMapFirst", { source, stop in source.flatMapFirst { Observable.just(stopping($0, stop)) } }),
    ("concatMap", { source, stop in source.concatMap { Observable.just(stopping($0, stop)) } }),
    ("deferred", { source, stop in .deferred { source.map { stopping($0, stop) } } }),
    ("create", { source, stop in .create { source.map { stopping($0, stop) }.subscribe($0) } }),
    ("merge", { source, stop in source.do(onNext: { _ in stop() }).merge(with: Observable.never()) }),
    ("concat", { source, stop in source.do(onNext: { _ in stop() }).concat(Observable.just(1)) }),
    ("share", { source, stop in source.do(onNext: { _ in stop() }).share() }),
    ("retry", { source, stop in source.do(onNext: { _ in stop() }).retry(2) }),
    ("catch", { source, stop in source.do(onNext: { _ in stop() }).catchAndReturn(1) }),
  ]

  // contract 1.4
  @Test(arguments: operators.indices)
  func theCallbackIsNotCalledAfterADisposeInside(index: Int) {
    let (subject, subscription, observer) = (PublishSubject<Int>(), SerialDisposable(), TestObserver<Int>())
    subscription.replace(
      with: Self.operators[index].build(subject.asObservable()) { subscription.dispose() }.subscribe(observer))
    subject.onNext(1)
    #expect(observer.events == [], "\(Self.operators[index].name)")
    #expect(!subject.hasObservers, "\(Self.operators[index].name)")
  }

  @Test func theEndIsNotDeliveredAfterADisposeInside() {
    for end in [Event<Int>.completed, .error(TestError())] {
      let (subject, subscription, observer) = (PublishSubject<Int>(), SerialDisposable(), TestObserver<Int>())
      subscription.replace(
        with: subject.do(onError: { _ in subscription.dispose() }, onCompleted: { subscription.dispose() })
          .subscribe(observer))
      subject.on(end)
      #expect(observer.events == [])
    }
  }

  // contract 1.1, 1.4: what the stream holds is disposed before its end is passed on, and that disposes the subscription
  @Test(arguments: ["create", "do(onDispose:)"])
  func theEndIsNotDeliveredAfterADisposeInsideADisposeAction(operation: String) {
    let (source, subscription, log) = (PublishSubject<Int>(), SerialDisposable(), Locked<[String]>([]))
    let stop: @Sendable () -> Void = {
      subscription.dispose()
      log.mutate { $0.append("disposed") }
    }
    let stream: Observable<Int> =
      switch operation {
      case "create":
        .create { observer in
          let inner = source.subscribe(observer)
          return Disposables.create {
            inner.dispose()
            stop()
          }
        }
      default: source.do(onDispose: stop)
      }
    subscription.replace(
      with: stream.subscribe(
        onNext: { number in log.mutate { $0.append("\(number)") } },
        onCompleted: { log.mutate { $0.append("completed") } }))
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
        begun.mutate { $0.append(number) }
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
          begun.mutate { $0.append(number) }
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
        handled.mutate { $0 += 1 }
        return .never()
      }.subscribe { _ in })
    subject.onError(TestError())
    #expect(handled.value == 0)
  }
}

private func stopping(_ number: Int, _ stop: () -> Void) -> Int {
  stop()
  return number
}
