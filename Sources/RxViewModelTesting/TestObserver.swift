import RxViewModel

/// Records the events of a stream.
///
/// You can send to it, read it and dispose it from any thread.
public final class TestObserver<Element: Sendable>: ObserverType, Disposable {
  private struct State {
    var events: [Recorded<Element>] = []
    var lastValue: Element?
    /// The first error or completion.
    var end: Event<Element>?
    var isDisposed = false
  }

  private let time: VirtualTime?
  private let state = Lock(State())
  let subscription = SerialDisposable()

  /// Makes an observer that has recorded nothing.
  ///
  /// - Parameter scheduler: Gives the times of the events. Without a scheduler they are all zero. The observer doesn't keep the scheduler
  ///   alive.
  public init(scheduler: TestScheduler? = nil) {
    time = scheduler?.time
  }

  public func on(_ event: Event<Element>) {
    let recorded = Recorded(time?.now ?? .zero, event)
    state.withLock { state in
      if state.isDisposed { return }
      if let element = event.element { state.lastValue = element } else { state.end = state.end ?? event }
      state.events.append(recorded)
    }
  }

  /// Disposes the subscription.
  ///
  /// From then on the observer records nothing. You can also call this inside a callback, or before the subscription has been made.
  public func dispose() {
    state.withLock { $0.isDisposed = true }
    subscription.dispose()
  }

  /// The events so far.
  public var events: [Recorded<Element>] {
    state.withLock { $0.events }
  }

  /// The elements so far. O(n).
  public var values: [Element] {
    events.compactMap(\.event.element)
  }

  /// The last element. O(1).
  public var lastValue: Element? {
    state.withLock { $0.lastValue }
  }

  /// The error that ended the stream. O(1).
  public var error: (any Error)? {
    state.withLock { $0.end?.error }
  }

  /// Whether the stream has completed. O(1).
  public var isCompleted: Bool {
    if case .completed? = state.withLock({ $0.end }) { true } else { false }
  }
}

extension ObservableType {
  /// Subscribes immediately, on the calling thread, and records each event with the time of `scheduler`. The stream may send on any thread.
  ///
  /// The tasks that the subscription starts run on `scheduler`, in virtual time (on Apple platforms from macOS 15, iOS 18, tvOS 18 and
  /// watchOS 11 on).
  public func test(_ scheduler: TestScheduler? = nil) -> TestObserver<Element> {
    let observer = TestObserver<Element>(scheduler: scheduler)
    let subscription = scheduler?.time.atWork { subscribe(observer) } ?? subscribe(observer)
    observer.subscription.replace(with: subscription)
    return observer
  }
}
