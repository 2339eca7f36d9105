import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

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
