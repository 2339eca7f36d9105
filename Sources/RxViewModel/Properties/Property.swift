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
  @usableFromInline let read: @Sendable () -> Value
  @usableFromInline let changes: Observable<Value>
  /// Of a storage that cannot be observed: reads the value that has been sent last, and sends a change.
  @usableFromInline let polled: (last: @Sendable () -> Value, refresh: @Sendable () -> Void)?

  /// - Parameter changes: Replays the current value to each subscriber, and never sends two equal values in a row.
  @inlinable
  init(
    read: @escaping @Sendable () -> Value, changes: Observable<Value>,
    polled: (last: @Sendable () -> Value, refresh: @Sendable () -> Void)? = nil
  ) {
    (self.read, self.changes, self.polled) = (read, changes, polled)
  }

  /// The current value.
  ///
  /// You can read it from any thread, without waiting for your code on another thread.
  @inlinable
  public var value: Value { read() }

  /// The values as a stream: the current value, then each change.
  ///
  /// The stream completes when the property's source ends.
  @inlinable
  public func asObservable() -> Observable<Value> { changes }

  /// A constant property. Its stream sends the value and completes.
  package init(_ value: Value) {
    self.init(read: { value }, changes: .just(value))
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
  ///   thread. An observer of `changes` may get a value before the property does. If it then subscribes to the property, it has to get that
  ///   value and no older one, so the property takes the value from here.
  init(
    initial: Value, then changes: some ObservableType<Value>, delivered: @escaping @Sendable () -> Value?
  ) {
    let values = SubjectCore(SubjectState(size: 1, initial, replaysAfterEnd: true))
    // Subscribers retain `feed`, and not this: they go when no copy of the property is left, and no source that sends.
    let owner = AtRelease { values.releaseAll() }
    let sink = Sink<Value>(
      each: { value in withExtendedLifetime(owner) { values.send(value) } },
      end: { error in
        if let error { reportUnhandled(error, by: "Property", of: Value.self) }
        values.end(nil)
      })
    // The source retains the values and not the feed, so the feed lives as long as the property or a subscription to it.
    let subscription = changes.asObservable().connect(sink)
    let feed = AtRelease { subscription.dispose() }
    self.init(
      read: { withExtendedLifetime((feed, owner)) { values.withSubject { $0.buffer.last! } } },
      // No template: the value that is being delivered may have to come before the replay.
      changes: Observable { sink, scope in
        if let value = delivered(), !isUnchanged(values.withSubject { $0.buffer.last! }, value) { values.send(value) }
        _ = withExtendedLifetime(owner) { values.connect(sink, scope) }
      }.fed(by: feed).distinctUntilChanged())
  }

  /// Makes a property whose value is stored elsewhere and cannot be observed.
  ///
  /// Each read of ``value`` calls `get` on the calling thread. Subscribers learn of a change at the next ``refresh()``, or when another
  /// subscriber comes. The property never completes.
  public init(get: @escaping @Sendable () -> Value) {
    let source = PolledValue(get)
    self.init(read: get, changes: source.stream.distinctUntilChanged(), polled: (source.last, source.refresh))
  }

  /// Reads the value of a property made with ``init(get:)``, and sends it to the subscribers if it has changed.
  ///
  /// Call it when your storage has changed. If another thread is delivering then, that thread delivers the change too. For any other
  /// property this does nothing.
  public func refresh() { polled?.refresh() }

  /// The value without a read of a storage that changes by itself, such as a clock: a binding that wrote each of its values would never end.
  var lastValue: Value { polled?.last() ?? value }

  /// Returns a property whose value is the result of `transform`.
  ///
  /// The property calls `transform` at each read, on the reading thread. For each subscriber it also calls it with the current value, on
  /// the subscribing thread, and at each change, on the thread that delivers the change.
  public func map<Result: Sendable & Equatable>(
    _ transform: @escaping @Sendable (Value) -> Result
  ) -> Property<Result> {
    Property<Result>(
      read: { transform(read()) },
      changes: changes.map { (value: Value) -> Result in transform(value) }.distinctUntilChanged(),
      polled: polled.map { polled in ({ transform(polled.last()) }, polled.refresh) })
  }
}

extension Observable {
  /// The values of a property. Each subscription to them retains `feed`, whose release disposes the property's subscription to its source.
  func fed(by feed: AtRelease) -> Observable {
    // No template: the scope holds one resource more, and the events stay as they are.
    Observable { sink, scope in
      if scope.add(Disposables.create { withExtendedLifetime(feed) {} }) { connect(sink, in: scope) }
    }
  }
}

/// Whether `new` counts as equal to `old`. Also true for two values that do not equal themselves, such as NaN: if they counted as a change,
/// each change would cause the next one, endlessly.
func isUnchanged<Value: Equatable>(_ old: Value, _ new: Value) -> Bool {
  old == new || old != old && new != new
}
