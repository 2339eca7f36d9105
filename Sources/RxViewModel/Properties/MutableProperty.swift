/// A property that can be written.
///
///     let query = MutableProperty("")
///     query.bind { [weak label] in label?.text = $0 }.disposed(by: bag)
///     query.value = "ant"
///
/// Any thread. Writes are accepted one at a time, and all subscribers see them in that order: a value written from inside a callback
/// comes when all subscribers have seen the one before. Copies share their value.
public struct MutableProperty<Value: Sendable & Equatable>: ObservableType {
  /// The same property without the right to write it.
  public let readOnly: Property<Value>
  @usableFromInline let write: @Sendable (Value) -> Void

  @inlinable
  init(readOnly: Property<Value>, write: @escaping @Sendable (Value) -> Void) {
    self.readOnly = readOnly
    self.write = write
  }

  /// The current value. A write has happened when it returns; the subscribers may still be told of it by another thread.
  @inlinable
  public var value: Value {
    get { readOnly.value }
    nonmutating set { write(newValue) }
  }

  /// The current value on the subscribing thread, then each change; no two equal values in a row.
  @inlinable
  public func asObservable() -> Observable<Value> { readOnly.changes }

  /// A property that stores its value. A write costs as much as one to a ``BehaviorSubject``, and a comparison per subscriber.
  @inlinable
  public init(_ value: Value) {
    let subject = BehaviorSubject(value: value)
    self.init(
      readOnly: Property(
        read: { subject.value },
        changes: Observable { subject.core.connect($0) }.distinctUntilChanged()),
      write: { subject.onNext($0) })
  }

  /// A value that is stored elsewhere. A write calls `set` on the writing thread, and then asks `get` what has become of it.
  ///
  /// The library does not serialize the calls of `set` from several threads: the storage has to.
  public init(get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void) {
    self.init(Property(get: get), set: set)
  }

  /// Any reading with any writing. A write calls `set` on the writing thread.
  public init(_ reading: Property<Value>, set: @escaping @Sendable (Value) -> Void) {
    self.init(
      readOnly: reading,
      write: { value in
        set(value)
        // Where the value is stored elsewhere, this sends what has become of it.
        _ = reading.value
      })
  }

  /// A part of the value, or another form of it. A write calls `set` with the value that is current then, and writes what that makes of it.
  ///
  /// Two threads that write two parts of one value at the same time may lose one of the two writes: a read, a change and a write are
  /// not one step. Values that need that belong into a view model.
  public func map<Result: Sendable & Equatable>(
    get: @escaping @Sendable (Value) -> Result, set: @escaping @Sendable (inout Value, Result) -> Void
  ) -> MutableProperty<Result> {
    MutableProperty<Result>(
      readOnly: readOnly.map(get),
      write: { [self] result in
        var changed = value
        set(&changed, result)
        value = changed
      })
  }
}
