/// A value that you can read now, and whose changes you can observe.
///
///     let name = viewModel.property(\.username)
///     label.text = name.value
///     name.bind { [weak label] in label?.text = $0 }.disposed(by: bag)
///
/// You can use it from any thread. A subscriber gets the current value on its own thread, before `subscribe` returns, then each change, one
/// at a time, and never two equal values in a row. The stream never fails. A subscriber that comes after the end gets the last value and
/// the completion. A subscription keeps the property's source alive until you dispose it, or until the property ends.
public struct Property<Value: Sendable & Equatable>: ObservableType {
  @usableFromInline let read: @Sendable (PropertyReading) -> Value
  @usableFromInline let changes: Observable<Value>

  /// - Parameter changes: Replays the current value, and never sends two equal values in a row.
  @inlinable
  init(read: @escaping @Sendable (PropertyReading) -> Value, changes: Observable<Value>) {
    (self.read, self.changes) = (read, changes)
  }

  /// The current value.
  ///
  /// You can read it from any thread, without waiting for your code on another thread.
  @inlinable
  public var value: Value { read(.now) }

  /// The values as a stream: the current value, then each change.
  ///
  /// The stream completes when the property's source ends.
  @inlinable
  public func asObservable() -> Observable<Value> { changes }

  /// A constant property. Its stream sends the value and completes.
  package init(_ value: Value) {
    self.init(read: { _ in value }, changes: .just(value))
  }

  /// Makes a property whose value is `initial`, and then each element of `changes`.
  ///
  /// The property subscribes to `changes` immediately, on the calling thread. It disposes that subscription when the last copy of the
  /// property, and the last subscription to it, have been released. When `changes` completes, the property completes and keeps its value.
  /// An error counts as a completion, and debug builds report it on standard error.
  public init(initial: Value, then changes: some ObservableType<Value>) {
    self.init(initial: initial, then: changes, delivered: { nil })
  }

  /// - Parameter delivered: The value that the calling thread is delivering through `changes`, or has delivered last. Nil on another
  ///   thread. In that delivery, an observer that subscribes to the property may come before the property itself.
  init(
    initial: Value, then changes: some ObservableType<Value>, delivered: @escaping @Sendable () -> Value?
  ) {
    let values = SubjectCore(SubjectState(size: 1, initial, replaysAfterEnd: true))
    let sink = Sink<Value>(
      each: { values.send($0) },
      end: { error in
        if let error { reportUnhandled(error, by: "Property", of: Value.self) }
        values.end(nil)
      })
    let subscription = changes.asObservable().connect(sink)
    let feed = AtRelease { subscription.dispose() }
    self.init(
      read: { _ in withExtendedLifetime(feed) { values.withSubject { $0.buffer.last! } } },
      changes: Observable { sink, scope in
        if let value = delivered(), !isUnchanged(values.withSubject { $0.buffer.last! }, value) { values.send(value) }
        _ = values.connect(sink, scope)
      }.fed(by: feed).distinctUntilChanged())
  }

  /// Makes a property whose value is stored elsewhere and cannot be observed.
  ///
  /// Each read of ``value`` and each subscription calls `get` on the calling thread, and sends a change to the subscribers before it
  /// returns. If another thread is delivering then, that thread delivers the change too. In a callback of the property, a read returns the
  /// value read last. The property never completes.
  public init(get: @escaping @Sendable () -> Value) {
    let source = PolledValue(get)
    self.init(read: { source.read($0) }, changes: source.stream.distinctUntilChanged())
  }

  /// Returns a property whose value is the result of `transform`.
  ///
  /// The property calls `transform` at each read, on the reading thread. For each subscriber it also calls it with the current value, on
  /// the subscribing thread, and at each change, on the thread that delivers the change.
  public func map<Result: Sendable & Equatable>(
    _ transform: @escaping @Sendable (Value) -> Result
  ) -> Property<Result> {
    Property<Result>(
      read: { transform(read($0)) },
      changes: changes.map { (value: Value) -> Result in transform(value) }.distinctUntilChanged())
  }
}

extension Observable {
  /// The values of a property. Each subscription to them retains the object that feeds them, and disposes its subscription at its release.
  ///
  /// The source retains the values, and not that object. So the feed lives as long as the property is in use.
  func fed(by feed: AtRelease) -> Observable {
    onEnd { Disposables.create { withExtendedLifetime(feed) {} } }
  }
}
