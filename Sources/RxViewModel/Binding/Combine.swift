#if canImport(Combine)
  import Combine

  extension ObservableType {
    /// This stream as a Combine publisher. Elements that nobody has asked for yet wait without bound.
    public var publisher: AnyPublisher<Element, any Error> {
      StreamPublisher(stream: asObservable()).eraseToAnyPublisher()
    }
  }

  extension Publisher where Output: Sendable {
    /// This publisher as an observable, which subscribes to it anew for each subscriber, with unlimited demand.
    ///
    /// The publisher may send its events from several threads: the observable sends them on one at a time.
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

  /// Delivers as much as has been asked for. The completion needs no demand, but comes behind the elements that wait.
  private final class StreamSubscription<Output: Sendable>: Subscription, Sendable {
    private struct State {
      var demand = Subscribers.Demand.none
      var waiting = Queue<Event<Output>>()
      var isDelivering = false
      var deliver: (@Sendable (Event<Output>) -> Subscribers.Demand)?
    }

    private let state: Lock<State>
    private let upstream = SerialDisposable()

    init(_ deliver: @escaping @Sendable (Event<Output>) -> Subscribers.Demand) {
      state = Lock(State(deliver: deliver))
    }

    func connect(_ stream: Observable<Output>) {
      upstream.replace(
        with: stream.connect { [self] event in
          state.withLock { if $0.deliver != nil { $0.waiting.append(event) } }
          run()
          // Cancelled perhaps, and perhaps before there is anything to dispose.
          return state.withLock { $0.deliver != nil }
        })
    }

    func request(_ demand: Subscribers.Demand) {
      state.withLock { $0.demand += demand }
      run()
    }

    func cancel() {
      var dropped = State()
      state.withLock { swap(&dropped, &$0) }
      upstream.dispose()
    }

    private func run() {
      while let (event, deliver) = next() {
        let more = deliver(event)
        state.withLock { state in
          state.isDelivering = false
          state.demand += more
        }
        if event.isTerminal { cancel() }
      }
    }

    private func next() -> (Event<Output>, @Sendable (Event<Output>) -> Subscribers.Demand)? {
      state.withLock { state in
        guard !state.isDelivering, let deliver = state.deliver, let first = state.waiting.first else { return nil }
        if !first.isTerminal {
          if state.demand == .none { return nil }
          state.demand -= 1
        }
        state.isDelivering = true
        return (state.waiting.popFirst()!, deliver)
      }
    }
  }
#endif
