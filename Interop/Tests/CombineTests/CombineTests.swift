import Combine
import RxViewModel
import Testing

private struct Failure: Error {}

struct CombineTests {
  /// Requests the demand that the test sets, and records the events.
  private final class Probe: Subscriber {
    typealias Input = Int
    typealias Failure = any Error

    var values: [Int] = []
    var ends: [String] = []
    var subscription: (any Subscription)?
    var more = Subscribers.Demand.none

    func receive(subscription: any Subscription) {
      self.subscription = subscription
    }

    func receive(_ input: Int) -> Subscribers.Demand {
      values.append(input)
      defer { more = .none }
      return more
    }

    func receive(completion: Subscribers.Completion<any Error>) {
      switch completion {
      case .finished: ends.append("finished")
      case .failure(let error): ends.append("\(type(of: error))")
      }
    }
  }

  @Test func deliversNoMoreThanTheDemand() {
    let (subject, probe) = (PublishSubject<Int>(), Probe())
    subject.publisher.subscribe(probe)
    for number in 1...5 { subject.onNext(number) }
    #expect(probe.values == [])
    probe.subscription?.request(.max(2))
    #expect(probe.values == [1, 2])
    probe.more = .max(1)
    probe.subscription?.request(.max(1))
    #expect(probe.values == [1, 2, 3, 4])
    subject.onCompleted()
    #expect(probe.ends == [])
    probe.subscription?.request(.unlimited)
    #expect(probe.values == [1, 2, 3, 4, 5])
    #expect(probe.ends == ["finished"])
  }

  // contract 1.4: the publisher sends its elements inside the request
  @Test func anEndlessPublisherStopsAtTheEnd() {
    let (seen, ends) = (Box([Int]()), Box(0))
    _ = (1...).publisher.asObservable().take(2).subscribe(
      onNext: { seen.value.append($0) }, onCompleted: { ends.value += 1 })
    #expect(seen.value == [1, 2] && ends.value == 1)
  }

  private final class Box<Value>: @unchecked Sendable {  // Sendable: one thread uses it.
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  @Test func cancellingCutsOffASourceThatIsBeingSubscribed() {
    var values: [Int] = []
    let cancellable = Observable.from(sequence(first: 1) { $0 + 1 }).publisher.first()
      .sink(receiveCompletion: { _ in }, receiveValue: { values.append($0) })
    #expect(values == [1])
    cancellable.cancel()
  }

  @Test func aFailureNeedsNoDemand() {
    let (subject, probe) = (PublishSubject<Int>(), Probe())
    subject.publisher.subscribe(probe)
    subject.on(.error(Failure()))
    #expect(probe.ends == ["Failure"])
    #expect(!subject.hasObservers)
  }

  @Test func cancelEndsTheSubscription() {
    let (subject, probe) = (PublishSubject<Int>(), Probe())
    subject.publisher.subscribe(probe)
    probe.subscription?.request(.unlimited)
    subject.onNext(1)
    probe.subscription?.cancel()
    subject.onNext(2)
    subject.onCompleted()
    #expect(probe.values == [1])
    #expect(probe.ends == [])
    #expect(!subject.hasObservers)
  }

  @Test func aViewModelsStateAsAPublisher() {
    let subject = BehaviorSubject(value: 1)
    var seen: [Int] = []
    let cancellable = subject.publisher.sink(receiveCompletion: { _ in }, receiveValue: { seen.append($0) })
    subject.onNext(2)
    #expect(seen == [1, 2])
    cancellable.cancel()
    #expect(!subject.hasObservers)
  }

  @Test func aPublisherAsAnObservable() {
    let subject = PassthroughSubject<Int, Failure>()
    let (seen, ends) = (ReplaySubject<Int>(bufferSize: 9), BehaviorSubject(value: ""))
    let subscription = subject.asObservable().subscribe { event in
      switch event {
      case .next(let element): seen.onNext(element)
      case .error(let error): ends.onNext("\(type(of: error))")
      case .completed: ends.onNext("completed")
      }
    }
    subject.send(1)
    subject.send(2)
    subject.send(completion: .failure(Failure()))
    var values: [Int] = []
    seen.publisher.sink(receiveCompletion: { _ in }, receiveValue: { values.append($0) }).cancel()
    #expect(values == [1, 2])
    #expect(ends.value == "Failure")
    subscription.dispose()

    let cancelled = PassthroughSubject<Int, Never>()
    let wasCancelled = BehaviorSubject(value: false)
    let other = cancelled.handleEvents(receiveCancel: { wasCancelled.onNext(true) }).asObservable().subscribe { _ in }
    other.dispose()
    #expect(wasCancelled.value)
  }
}
