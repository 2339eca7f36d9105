import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

@Suite struct DemoteErrorsTests {
  private let failing = Observable.of(1, 2).concat(.error(TestError()))

  private final class Idle: RxViewModel<Never, Int>, @unchecked Sendable {  // Sendable: it stores nothing.
    override func createInitialState() -> Int { 0 }
  }

  // contract 2.6
  @Test func theErrorGoesToTheErrorStreamsOfTheViewModelOnce() {
    let scheduler = TestScheduler()
    let viewModel = Idle(scheduler: scheduler)
    let (errors, pairs) = (viewModel.errorObservable.test(), viewModel.actionAndErrorObservable.test())
    let observer = failing.demoteErrors(to: viewModel).test()
    scheduler.run()
    #expect(observer.values == [1, 2])
    #expect(observer.isCompleted)
    #expect(errors.values.compactMap { $0 as? TestError } == [TestError()])
    #expect(pairs.values.count == 1)
    #expect(pairs.lastValue?.action == nil)
  }

  // contract 2.6
  @Test func aCancellationErrorGoesToNoErrorStream() {
    let scheduler = TestScheduler()
    let viewModel = Idle(scheduler: scheduler)
    let errors = viewModel.errorObservable.test()
    let observer = Observable<Int>.error(CancellationError()).demoteErrors(to: viewModel).test()
    scheduler.run()
    #expect(observer.isCompleted)
    #expect(errors.values.isEmpty)
  }

  // contract 2.9
  @Test func theViewModelIsNotKeptAlive() {
    let source = PublishSubject<Int>()
    weak var released: Idle?
    let observer = {
      let viewModel = Idle(scheduler: TestScheduler())
      released = viewModel
      return source.demoteErrors(to: viewModel).test()
    }()
    #expect(released == nil)
    source.onError(TestError())
    #expect(observer.isCompleted)
  }
}
