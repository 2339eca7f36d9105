#if canImport(Combine)
  import Combine

  extension ObservableType {
    /// This stream as a Combine publisher.
    ///
    /// Each Combine subscriber subscribes to the stream again, and its `cancel()` disposes that subscription. Events come on the stream's
    /// threads, or on the thread that requests elements, one at a time. Elements that the subscriber hasn't requested yet wait without a
    /// limit, in a `buffer` of Combine's. The publisher fails with the stream's error.
    public var publisher: AnyPublisher<Element, any Error> {
      StreamPublisher(stream: asObservable()).buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)
        .eraseToAnyPublisher()
    }
  }

  extension Publisher where Output: Sendable {
    /// This publisher as an observable, which subscribes to it again for each subscriber, with unlimited demand.
    ///
    /// The publisher may send events from several threads: the observable passes them on one at a time. The publisher's failure becomes the
    /// observable's error. Disposing a subscription cancels it.
    public func asObservable() -> Observable<Output> {
      // Combine declares no type as Sendable, but you can subscribe to its publishers on any thread.
      nonisolated(unsafe) let publisher = self
      return Observable { sink, scope in
        let serial = Serial<Event<Output>>(in: scope) { event in sink.on(consume event) }
        publisher.subscribe(StreamSubscriber(serial))
      }
    }
  }

  /// Passes a publisher's events on. Requests all elements, once a dispose can cancel: a publisher may send them inside the request, without
  /// end.
  private final class StreamSubscriber<Input: Sendable, Failure: Error>: Combine.Subscriber {
    private let serial: Serial<Event<Input>>

    init(_ serial: Serial<Event<Input>>) { self.serial = serial }

    func receive(subscription: any Subscription) {
      nonisolated(unsafe) let subscription = subscription
      let isOpen = serial.scope.add(Disposables.create { subscription.cancel() })
      if isOpen { subscription.request(.unlimited) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      _ = serial.send(.next(input))
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      if case .failure(let error) = completion { _ = serial.send(.error(error)) } else { _ = serial.send(.completed) }
    }
  }

  /// Sends each element when the stream does, because the buffer behind it requests all.
  private struct StreamPublisher<Output: Sendable>: Publisher {
    typealias Failure = any Error

    let stream: Observable<Output>

    func receive<S: Combine.Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
      // The stream sends one event at a time, as Combine requires.
      nonisolated(unsafe) let subscriber = subscriber
      let scope = Scope()
      subscriber.receive(subscription: StreamSubscription(scope: scope))
      let sink = Sink<Output>(
        each: { _ = subscriber.receive($0) },
        end: { subscriber.receive(completion: $0.map { .failure($0) } ?? .finished) })
      stream.connect(sink, subscribing: scope)
    }
  }

  private struct StreamSubscription: Subscription {
    let combineIdentifier = CombineIdentifier()
    let scope: Scope

    func request(_ demand: Subscribers.Demand) {}
    func cancel() { scope.dispose() }
  }
#endif
