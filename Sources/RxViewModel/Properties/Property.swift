/// A value that can be read now, and whose changes can be observed.
///
///     let name = viewModel.property(\.username)
///     label.text = name.value
///     name.bind { [weak label] in label?.text = $0 }.disposed(by: bag)
///
/// May be used from any thread. Each subscriber gets the current value on the subscribing thread, before `subscribe` returns, and then each
/// change, one at a time. Two equal values never follow each other. The stream sends no errors. A subscriber that subscribes after the end
/// gets the last value and the completion. A subscription keeps the source of the property alive until it is
/// disposed or the property ends.
public struct Property<Value: Sendable & Equatable>: ObservableType {
  @usableFromInline let read: @Sendable () -> Value
  /// Returns the last known value, without reading a storage that cannot be observed. Callbacks of ``changes`` must use it: reading a value
  /// that changes by itself, such as a clock, would send the next change from inside the callback, endlessly.
  @usableFromInline let readLast: @Sendable () -> Value
  @usableFromInline let changes: Observable<Value>

  /// - Parameters:
  ///   - readLast: Nil if the source can be observed, because `read` then sends nothing.
  ///   - changes: Replays the current value, and never sends two equal values in a row.
  @inlinable
  init(
    read: @escaping @Sendable () -> Value, readLast: (@Sendable () -> Value)? = nil, changes: Observable<Value>
  ) {
    self.read = read
    self.readLast = readLast ?? read
    self.changes = changes
  }

  /// The current value.
  ///
  /// May be read from any thread. A read never waits for user code on another thread.
  @inlinable
  public var value: Value { read() }

  /// The values as a stream: the current value, then each change.
  ///
  /// The stream completes when the property's source ends.
  @inlinable
  public func asObservable() -> Observable<Value> { changes }

  /// Makes a constant property. Its stream sends the value and completes.
  public init(_ value: Value) {
    self.init(read: { value }, changes: .just(value))
  }

  /// Makes a property whose value is `initial`, and then each element of `changes`.
  ///
  /// The property subscribes to `changes` at once, on the calling thread. It disposes that subscription when the last copy of the property
  /// and the last subscription to it have been released. When `changes` completes, the property completes and keeps its value. An error of
  /// `changes` counts as its completion; a debug build reports it on standard error.
  public init(initial: Value, then changes: some ObservableType<Value>) {
    self.init(initial: initial, then: changes, delivered: { nil })
  }

  /// - Parameter delivered: The value that the calling thread is delivering through `changes`, or has delivered last. Nil on another
  ///   thread. In that delivery, an observer that subscribes to the property may come before the property itself.
  init(
    initial: Value, then changes: some ObservableType<Value>, delivered: @escaping @Sendable () -> Value?
  ) {
    let values = SubjectCore(ReplayBuffer(size: 1, initial), replaysAfterEnd: true)
    let feed = PropertyFeed(
      changes.asObservable().connect { event in
        if case .error(let error) = event {
          reportInDebug("an error has reached a Property, which ends there: \(error)")
          values.on(.completed)
        } else {
          values.on(event)
        }
        return event.isTerminal ? .noMore : .more
      })
    self.init(
      read: { withExtendedLifetime(feed) { values.state.withLock { $0.buffer.last! } } },
      changes: feed.keptAlive(
        by: Observable(
          .subject { sink, scope in
            if let value = delivered(), !isUnchanged(values.state.withLock({ $0.buffer.last! }), value) {
              values.on(.next(value))
            }
            return values.connect(sink, scope)
          })
      ).distinctUntilChanged())
  }

  /// Makes a property whose value is stored elsewhere and cannot be observed.
  ///
  /// Each read of ``value`` and each subscription calls `get` on the calling thread. If the value has changed, the read sends the change to
  /// the subscribers, and delivers it before it returns, unless a delivery of this property is already running: then the thread of that
  /// delivery delivers it. The property never completes.
  public init(get: @escaping @Sendable () -> Value) {
    let source = PolledValue(get)
    self.init(
      read: { source.poll() },
      readLast: { source.last },
      changes: Observable(
        .subject { sink, scope in
          _ = source.poll()
          return source.connect(sink, scope)
        }
      ).distinctUntilChanged())
  }

  /// Returns a property whose value is the result of `transform`.
  ///
  /// The property calls `transform` at each read, on the reading thread. For each subscriber it also calls it with the current value, on
  /// the subscribing thread, and at each change, on the thread that delivers the change.
  public func map<Result: Sendable & Equatable>(
    _ transform: @escaping @Sendable (Value) -> Result
  ) -> Property<Result> {
    Property<Result>(
      read: { transform(read()) },
      readLast: { transform(readLast()) },
      changes: changes.map { (value: Value) -> Result in transform(value) }.distinctUntilChanged())
  }

  /// Returns a property that has `value` instead of nil.
  ///
  /// A subscriber cannot distinguish nil from a value that equals the default.
  public func `default`<Wrapped>(_ value: Wrapped) -> Property<Wrapped> where Value == Wrapped? {
    map { $0 ?? value }
  }
}

/// The subscription that feeds a property. Each copy of the property, and each subscription to it, retains this object.
/// Releasing it disposes the subscription.
///
/// The source retains the values that it feeds, and not this object. So the feed lives as long as the property is in
/// use.
final class PropertyFeed: Sendable {
  private let subscription: any Disposable

  init(_ subscription: any Disposable) {
    self.subscription = subscription
  }

  deinit {
    subscription.dispose()
  }

  /// The same stream. Each subscription to it retains this feed.
  func keptAlive<Value>(by values: Observable<Value>) -> Observable<Value> {
    .lifting(values) { [self] sink in { event in withExtendedLifetime(self) { sink(event) } } }
  }
}
