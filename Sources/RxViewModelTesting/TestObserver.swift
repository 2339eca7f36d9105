import RxViewModel

/// Records the events of a stream. May be sent to, read and disposed from any thread.
public final class TestObserver<Element: Sendable>: ObserverType, Disposable {
  private struct State {
    var events: [Recorded<Element>] = []
    var isDisposed = false
  }

  private let scheduler: TestScheduler?
  private let state = Lock(State())
  let subscription = SerialDisposable()

  /// - Parameter scheduler: gives the times of the events; without one they are all zero.
  public init(scheduler: TestScheduler? = nil) {
    self.scheduler = scheduler
  }

  public func on(_ event: Event<Element>) {
    let recorded = Recorded(scheduler?.now ?? .zero, event)
    state.withLock { state in
      if !state.isDisposed { state.events.append(recorded) }
    }
  }

  /// Ends the subscription. From then on nothing is recorded, also when it is called from inside a callback or before the
  /// subscription has been made.
  public func dispose() {
    state.withLock { $0.isDisposed = true }
    subscription.dispose()
  }

  /// What has come so far.
  public var events: [Recorded<Element>] {
    state.withLock { $0.events }
  }

  /// The elements that have come so far.
  public var values: [Element] {
    events.compactMap { if case .next(let element) = $0.event { element } else { nil } }
  }

  /// The element that came last.
  public var lastValue: Element? {
    values.last
  }

  /// The error that ended the stream.
  public var error: (any Error)? {
    events.lazy.compactMap { if case .error(let error) = $0.event { error } else { nil } }.first
  }

  /// Whether the stream has completed.
  public var isCompleted: Bool {
    events.contains { if case .completed = $0.event { true } else { false } }
  }
}

extension ObservableType {
  /// Subscribes at once and records each event with the time of `scheduler`.
  public func test(_ scheduler: TestScheduler? = nil) -> TestObserver<Element> {
    let observer = TestObserver<Element>(scheduler: scheduler)
    observer.subscription.replace(with: subscribe(observer))
    return observer
  }
}
