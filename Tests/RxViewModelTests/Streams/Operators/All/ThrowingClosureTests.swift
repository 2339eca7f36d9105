import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

struct ThrowingClosureTests {
  // contract 1.7
  @Test(arguments: Throwing.all)
  func thrownErrorsBecomeEventsAndDisposeTheSource(operation: Throwing) {
    let subject = PublishSubject<Int>()
    let observer = operation.apply(subject.asObservable()).test()
    subject.onNext(1)
    subject.onNext(2)
    #expect(observer.error as? TestError == TestError())
    #expect(observer.events.count { if case .next = $0.event { false } else { true } } == 1 && !subject.hasObservers)
  }

  struct Throwing: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (Observable<Int>) -> Observable<Int>

    static let all = [
      Throwing(testDescription: "map") { $0.map { _ in throw TestError() } },
      Throwing(testDescription: "compactMap") { $0.compactMap { _ in throw TestError() } },
      Throwing(testDescription: "filter") { $0.filter { _ in throw TestError() } },
      Throwing(testDescription: "scan") { $0.scan(0) { _, _ in throw TestError() } },
      Throwing(testDescription: "distinct") { $0.distinctUntilChanged { _, _ in throw TestError() } },
      Throwing(testDescription: "take(while:)") { $0.take(while: { _ in throw TestError() }) },
      Throwing(testDescription: "flatMap") { $0.flatMap { _ -> Observable<Int> in throw TestError() } },
      Throwing(testDescription: "flatMap(maxConcurrent:)") { source in
        source.flatMap(maxConcurrent: 1) { _ -> Observable<Int> in throw TestError() }
      },
      Throwing(testDescription: "flatMapLatest") { $0.flatMapLatest { _ -> Observable<Int> in throw TestError() } },
      Throwing(testDescription: "flatMapFirst") { $0.flatMapFirst { _ -> Observable<Int> in throw TestError() } },
      Throwing(testDescription: "concatMap") { $0.concatMap { _ -> Observable<Int> in throw TestError() } },
      Throwing(testDescription: "combineLatest") { .combineLatest($0, $0) { _, _ in throw TestError() } },
      Throwing(testDescription: "combineLatest of four") { source in
        .combineLatest(source, source, source, source) { _, _, _, _ in throw TestError() }
      },
      Throwing(testDescription: "zip") { .zip($0, $0) { _, _ in throw TestError() } },
      Throwing(testDescription: "zip of four") { source in
        .zip(source, source, source, source) { _, _, _, _ in throw TestError() }
      },
      Throwing(testDescription: "withLatestFrom") { $0.withLatestFrom($0) { _, _ in throw TestError() } },
      Throwing(testDescription: "do") { $0.do(onNext: { _ in throw TestError() }) },
      Throwing(testDescription: "do after") { $0.do(afterNext: { _ in throw TestError() }) },
    ]
  }
}
