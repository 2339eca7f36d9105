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
      nonisolated(unsafe) let publisher = mapError { $0 as any Error }.eraseToAnyPublisher()
      return .create { observer in
        nonisolated(unsafe) let subscription = publisher.sink { completion in
          switch completion {
          case .finished: observer.onCompleted()
          case .failure(let error): observer.onError(error)
          }
        } receiveValue: { element in
          observer.onNext(element)
        }
        return Disposables.create { subscription.cancel() }
      }
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
