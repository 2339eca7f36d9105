import RxViewModel

/// Records the events of a stream.
///
/// Any thread may send to it, read it and dispose it.
public final class TestObserver<Element: Sendable>: ObserverType, Disposable {
  private struct State {
    var events: [Recorded<Element>] = []
    /// The index of the last element among the events.
    var lastElement: Int?
    /// The indices of the first error and of the first completion.
    var error: Int?
    var completion: Int?
    var isDisposed = false
    /// The test that has subscribed the observer in virtual time, until the end of the subscription.
    var context: ListeningObservers.Context?
  }

  private let time: VirtualTime?
  private let state = Lock(State())
  let subscription = SerialDisposable()

  /// Makes an observer that has recorded nothing.
  ///
  /// - Parameter scheduler: Gives the times of the events. Without a scheduler they are all zero. The observer does not
  ///   keep the scheduler alive.
  public init(scheduler: TestScheduler? = nil) {
    time = scheduler?.time
  }

  public func on(_ event: Event<Element>) {
    let recorded = Recorded(time?.now ?? .zero, event)
    defer { if event.element == nil { endListening() } }
    state.withLock { state in
      if state.isDisposed { return }
      let index = state.events.count
      switch event {
      case .next: state.lastElement = index
      case .error: state.error = state.error ?? index
      case .completed: state.completion = state.completion ?? index
      }
      state.events.append(recorded)
    }
  }

  /// Disposes the subscription.
  ///
  /// From then on the observer records nothing. You may also call this from inside a callback, or before the subscription has been made.
  public func dispose() {
    state.withLock { $0.isDisposed = true }
    endListening()
    subscription.dispose()
  }

  deinit {
    endListening()
  }

  /// Notes that the calling test listens in virtual time.
  func listen() {
    if time == nil { return }
    let context = ListeningObservers.add()
    state.withLock { $0.context = context }
  }

  private func endListening() {
    let context = state.withLock { state in
      defer { state.context = nil }
      return state.context
    }
    if let context { ListeningObservers.remove(context) }
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
    event(at: \.lastElement)?.element
  }

  /// The error that ended the stream. O(1).
  public var error: (any Error)? {
    if case .error(let error) = event(at: \.error) { error } else { nil }
  }

  /// Whether the stream has completed. O(1).
  public var isCompleted: Bool {
    event(at: \.completion) != nil
  }

  private func event(at place: KeyPath<State, Int?>) -> Event<Element>? {
    state.withLock { state in
      state[keyPath: place].map { state.events[$0].event }
    }
  }
}

extension ObservableType {
  /// Subscribes at once, on the calling thread, and records each event with the time of `scheduler`. The stream may send on any thread.
  ///
  /// The tasks that the subscription starts run on `scheduler`, in virtual time (on Apple platforms from macOS 15, iOS 18, tvOS 18 and
  /// watchOS 11 on).
  public func test(_ scheduler: TestScheduler? = nil) -> TestObserver<Element> {
    let observer = TestObserver<Element>(scheduler: scheduler)
    observer.listen()
    let subscription = scheduler?.time.atWork { subscribe(observer) } ?? subscribe(observer)
    observer.subscription.replace(with: subscription)
    return observer
  }
}
