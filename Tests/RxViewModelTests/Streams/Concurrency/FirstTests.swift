import Dispatch
import RxViewModel
import Testing

@testable import TestSupport

/// `first()`
struct FirstTests {
  @Test func theFirstElementOrNoneOrTheError() async throws {
    #expect(try await Observable.of(1, 2).first() == 1)
    #expect(try await BehaviorSubject(value: 7).first() == 7)
    #expect(try await Observable.task { 3 }.first() == 3)
    #expect(try await Observable<Int>.empty().first() == nil)
    let optional: Int?? = try await Observable<Int?>.just(nil).first()
    #expect(optional == .some(nil))
    await #expect(throws: TestError.self) { try await Observable<Int>.error(TestError()).first() }
  }

  // contract 1.4
  @Test func theSubscriptionEndsWithTheElement() async throws {
    let subject = PublishSubject<Int>()
    let waiting = Task { try await subject.first() }
    #expect(await eventually { subject.hasObservers })
    subject.onNext(4)
    #expect(!subject.hasObservers)
    #expect(try await waiting.value == 4)
  }

  @Test func aCancelledTaskDisposesTheSubscription() async {
    let subject = PublishSubject<Int>()
    let waiting = Task { try await subject.first() }
    #expect(await eventually { subject.hasObservers })
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(!subject.hasObservers)
  }

  @Test func aTaskCancelledBeforehandDoesNotSubscribe() async {
    let (subscribed, go) = (Locked(0), AsyncStream<Void>.makeStream())
    let source = Observable.just(1).do(onSubscribe: { subscribed.increment() })
    let waiting = Task {
      for await _ in go.stream {}
      return try await source.first()
    }
    waiting.cancel()
    go.continuation.finish()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(subscribed.value == 0)
  }

  @MainActor
  @Test func subscribesOnTheCallersActor() async throws {
    let (wasOnMain, mainQueue) = (Locked(false), DispatchSpecificKey<Bool>())
    DispatchQueue.main.setSpecific(key: mainQueue, value: true)
    defer { DispatchQueue.main.setSpecific(key: mainQueue, value: nil) }
    let source = Observable<Int>.deferred {
      wasOnMain.mutate { $0 = DispatchQueue.getSpecific(key: mainQueue) == true }
      return .just(1)
    }
    // Outside the macro, whose closures are not isolated to the main actor.
    let first = try await source.first()
    #expect(first == 1 && wasOnMain.value)
  }
}
