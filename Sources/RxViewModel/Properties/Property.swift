/// A value that can be looked at now, and observed from now on.
///
///     let name = viewModel.property(\.username)
///     label.text = name.value
///     name.bind { [weak label] in label?.text = $0 }.disposed(by: bag)
///
/// A struct around closures; any thread. Each subscriber gets the current value on the subscribing thread, before `subscribe`
/// returns, then each change, one at a time, and never two equal values in a row. It sends no errors. A subscriber that comes after the end gets the
/// last value and the completion. A subscription keeps alive what feeds the property.
public struct Property<Value: Sendable & Equatable>: ObservableType {
  @usableFromInline let read: @Sendable () -> Value
  @usableFromInline let changes: Observable<Value>

  /// - Parameter changes: replays the current value, and sends no two equal ones in a row.
  @inlinable
  init(read: @escaping @Sendable () -> Value, changes: Observable<Value>) {
    self.read = read
    self.changes = changes
  }

  /// The current value. Any thread; never waits for code of yours on another thread.
  @inlinable
  public var value: Value { read() }

  /// The current value, then each change. Completes when what feeds the property ends.
  @inlinable
  public func asObservable() -> Observable<Value> { changes }

  /// A constant: sends it and completes.
  public init(_ value: Value) {
    self.init(read: { value }, changes: .just(value))
  }

  /// `initial`, then what `changes` sends.
  ///
  /// Subscribes to `changes` here and now, for as long as a copy of this property or a subscription to it lives. The end of
  /// `changes` completes the property, which keeps its value. An error counts as an end; a debug build reports it on standard error.
  public init(initial: Value, then changes: some ObservableType<Value>) {
    let values = SubjectCore(ReplayBuffer(initial), replaysAfterEnd: true)
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
      changes: feed.keptAlive(by: Observable { values.connect($0) }).distinctUntilChanged())
  }

  /// A value that is stored elsewhere and cannot be observed.
  ///
  /// Each read of ``value`` and each subscription calls `get` on its own thread, and sends the subscribers what has changed before it
  /// returns. It never completes.
  public init(get: @escaping @Sendable () -> Value) {
    let source = PolledValue(get)
    self.init(
      read: { source.look() },
      changes: Observable { sink in
        _ = source.look()
        return source.connect(sink)
      }.distinctUntilChanged())
  }

  /// What `transform` makes of the value. Calls it at each read, on the reading thread, and at each change.
  public func map<Result: Sendable & Equatable>(
    _ transform: @escaping @Sendable (Value) -> Result
  ) -> Property<Result> {
    Property<Result>(
      read: { [read] in transform(read()) },
      changes: changes.map { (value: Value) -> Result in transform(value) }.distinctUntilChanged())
  }

  /// The value with nil replaced. A subscriber can't tell nil from what is equal to the default.
  public func `default`<Wrapped>(_ value: Wrapped) -> Property<Wrapped> where Value == Wrapped? {
    map { $0 ?? value }
  }
}

/// The subscription that feeds a property. Each copy of the property, and each subscription to it, holds this; its end disposes the
/// subscription.
///
/// The source holds what it feeds, and not this object, so that the property's own use decides how long the feed lives.
final class PropertyFeed: Sendable {
  private let subscription: any Disposable

  init(_ subscription: any Disposable) {
    self.subscription = subscription
  }

  deinit {
    subscription.dispose()
  }

  /// The same stream; each subscription to it holds this feed.
  func keptAlive<Value>(by values: Observable<Value>) -> Observable<Value> {
    Observable { sink in values.connect { event in withExtendedLifetime(self) { sink(event) } } }
  }
}
