import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 4
@Suite("What run causes is in virtual time") struct LeftVirtualTimeTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aTaskOfATestsOwnEventRunsInVirtualTime() {
    let (scheduler, taps) = (TestScheduler(), PublishSubject<Void>())
    let numbers = taps.flatMapLatest { _ in Observable.task { 1 } }.test(scheduler)
    scheduler.run { taps.onNext(()) }
    #expect(numbers.values == [1])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func whatAnAnswerInsideDoStartsRunsInVirtualTime() {
    let (scheduler, taps) = (TestScheduler(), PublishSubject<Void>())
    let replies = Locked<[Reply<Int>]>([])
    let screens = TestNavigator<Reply<Int>> { reply in replies.mutate { $0.append(reply) } }
    let answers = screens.navigator.request { $0 }.flatMapLatest { answer in Observable.task { answer + 1 } }.test(
      scheduler)
    let taking = taps.do(onNext: { replies.value.first?.send(1) }).subscribe()
    scheduler.run { taps.onNext(()) }
    #expect(answers.values == [2])
    withExtendedLifetime(taking) {}
  }

  @Test func runReturnsTheResultAndRunsOnlyWhatIsDue() throws {
    let (scheduler, times) = (TestScheduler(), Locked<[Duration]>([]))
    let result = scheduler.run {
      scheduler.schedule { times.mutate { $0.append(scheduler.now) } }
      _ = scheduler.schedule(after: .seconds(1)) { times.mutate { $0.append(scheduler.now) } }
      return times.value.count
    }
    #expect(result == 0 && times.value == [.zero] && scheduler.pendingCount == 1)
  }

  @Test func runRethrowsAndRunsNothingMore() {
    let scheduler = TestScheduler()
    #expect(throws: TestError.self) {
      try scheduler.run {
        scheduler.schedule {}
        throw TestError()
      }
    }
    #expect(scheduler.pendingCount == 1)
  }
}
