#if canImport(Combine)
  import Combine

  extension ObservableType {
    /// This stream as a Combine publisher.
    ///
    /// Each Combine subscriber subscribes to the stream again, and its `cancel()` disposes that subscription. The publisher delivers events
    /// on the stream's threads, or on the thread that requests elements, one at a time. Elements that the subscriber has not requested yet
    /// wait without bound. The publisher fails with the stream's error.
    public var publisher: AnyPublisher<Element, any Error> {
      StreamPublisher(stream: asObservable()).eraseToAnyPublisher()
    }
  }

  extension Publisher where Output: Sendable {
    /// This publisher as an observable, which subscribes to it again for each subscriber, with unlimited demand.
    ///
    /// The publisher may send events from several threads: the observable passes them on one at a time. The publisher's failure becomes the
    /// observable's error. Disposing a subscription cancels it.
    public func asObservable() -> Observable<Output> {
      // Combine declares no type as Sendable. Its publishers may be subscribed from any thread.
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

  private struct StreamPublisher<Output: Sendable>: Publisher {
    typealias Failure = any Error

    let stream: Observable<Output>

    func receive<S: Combine.Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
      // The subscription sends one event at a time, as Combine requires.
      nonisolated(unsafe) let subscriber = AnySubscriber(subscriber)
      let subscription = StreamSubscription<Output> { event in
        switch event {
        case .next(let element): return subscriber.receive(element)
        case .error(let error): subscriber.receive(completion: .failure(error))
        case .completed: subscriber.receive(completion: .finished)
        }
        return .none
      }
      subscriber.receive(subscription: subscription)
      subscription.connect(stream)
    }
  }

  /// Delivers as many elements as the subscriber has requested. The completion needs no demand, but waits for the
  /// elements before it.
  private final class StreamSubscription<Output: Sendable>: Subscription, Sendable {
    private enum Input {
      case event(Event<Output>)
      case request(Subscribers.Demand)
    }

    private let serial: Serial<Input>

    init(_ deliver: @escaping @Sendable (Event<Output>) -> Subscribers.Demand) {
      var (waiting, demand) = (Queue<Event<Output>>(), Subscribers.Demand.none)
      let scope = Scope()
      serial = Serial(in: scope) { input in
        switch input {
        case .event(let event): waiting.append(event)
        case .request(let more): demand += more
        }
        while scope.isOpen, let event = waiting.first {
          if event.isTerminal {
            _ = deliver(event)
            scope.dispose()
            return .noMore
          }
          if demand == .none { return .more }
          demand -= 1
          demand += deliver(waiting.popFirst()!)
        }
        return .more
      }
    }

    func connect(_ stream: Observable<Output>) {
      serial.scope.connect(stream, to: serial) { .event($0) }
    }

    func request(_ demand: Subscribers.Demand) {
      _ = serial.send(.request(demand))
    }

    func cancel() {
      serial.scope.dispose()
    }
  }
#endif
