/// A property that can be written.
///
///     let query = MutableProperty("")
///     query.bind { [weak label] in label?.text = $0 }.disposed(by: bag)
///     query.value = "ant"
///
/// May be used from any thread. A property that stores its value accepts writes one at a time; for ``init(get:set:)`` the storage must do
/// that. All subscribers see the values in one order. If a callback writes a value, the property delivers it after all subscribers have
/// seen the previous value. Copies of a property share one value.
public struct MutableProperty<Value: Sendable & Equatable>: ObservableType {
  /// A read-only view of this property.
  public let readOnly: Property<Value>
  @usableFromInline let write: @Sendable (Value) -> Void
  /// Calls its argument with the current value, and writes the changed value if that returns true.
  @usableFromInline let modify: @Sendable (_ change: (inout Value) -> Bool) -> Void

  @inlinable
  init(
    readOnly: Property<Value>, write: @escaping @Sendable (Value) -> Void,
    modify: @escaping @Sendable (_ change: (inout Value) -> Bool) -> Void
  ) {
    self.readOnly = readOnly
    self.write = write
    self.modify = modify
  }

  /// The current value.
  ///
  /// A write has taken effect when it returns. Another thread may still be delivering the value to the subscribers.
  @inlinable
  public var value: Value {
    get { readOnly.value }
    nonmutating set { write(newValue) }
  }

  /// Replaces the value by what `body` makes of it. No other write comes between, so none is lost.
  ///
  ///     cart.update { $0.items.append(item) }
  ///     let number = tickets.update { count in
  ///       count += 1
  ///       return count
  ///     }
  ///
  /// May be called from any thread. No lock is held while `body` runs: `body` runs again, with the newer value, while other threads write
  /// between. So `body` does nothing but change its argument, and is short; a `body` that itself writes this property is trapped. If `body`
  /// throws, nothing is written. Subscribers get the value as after an assignment, and none if it has not changed.
  ///
  /// A property made with ``init(get:set:)`` or ``init(_:set:)`` stands for storage of your own: its update is a read and then a write, and
  /// another write may come between. The update of a view model's property executes an action. Its body gets what ``value`` shows, and no
  /// other write to the property comes between, but other actions may.
  @inlinable
  @discardableResult
  public func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try updating(by: modify, body)
  }

  /// The last known value, without reading a storage that cannot be observed: see ``PropertyReading``.
  var lastValue: Value { readOnly.read(.last) }

  /// The values as a stream: the current value, on the subscribing thread, then each change.
  ///
  /// Two equal values never follow each other. Sends no errors. The stream of a property made with `init(_:)` or
  /// ``init(get:set:)`` never completes; any other completes when its source ends.
  @inlinable
  public func asObservable() -> Observable<Value> { readOnly.changes }

  /// Makes a property that stores its value.
  ///
  /// A write costs as much as a write to a ``BehaviorSubject``, and one comparison per subscriber.
  @inlinable
  public init(_ value: Value) {
    let subject = BehaviorSubject(value: value)
    self.init(
      readOnly: Property(
        read: { _ in subject.value },
        changes: subject.asObservable().distinctUntilChanged()),
      write: { subject.core.send($0) },
      modify: { subject.core.update($0) })
  }

  /// Makes a property whose value is stored elsewhere.
  ///
  /// A write calls `set` on the writing thread, and then calls `get` to read the value that the storage has kept. The library does not
  /// serialize calls of `set` from several threads: the storage must do that.
  public init(get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void) {
    self.init(Property(get: get), set: set)
  }

  /// Makes a property that reads from `reading` and writes with `set`.
  ///
  /// A write calls `set` on the writing thread.
  public init(_ reading: Property<Value>, set: @escaping @Sendable (Value) -> Void) {
    let write: @Sendable (Value) -> Void = { value in
      set(value)
      // If the value is stored elsewhere, this read sends the subscribers the value that the storage has kept.
      _ = reading.read(.anew)
    }
    self.init(readOnly: reading, write: write) { change in
      var value = reading.value
      if change(&value) { write(value) }
    }
  }

  /// Returns a property for a part of the value, or for another form of it.
  ///
  /// A write is an ``update(_:)`` of the whole value, in which `set` changes it. So two threads may write two parts of one value at the
  /// same time, and none of the writes is lost. The update calls `get` and `set` on the writing thread, and calls them again if another
  /// thread has written meanwhile.
  public func map<Result: Sendable & Equatable>(
    get: @escaping @Sendable (Value) -> Result, set: @escaping @Sendable (inout Value, Result) -> Void
  ) -> MutableProperty<Result> {
    MutableProperty<Result>(
      readOnly: readOnly.map(get),
      write: { [modify] result in
        modify { value in
          set(&value, result)
          return true
        }
      },
      modify: { [modify] change in
        modify { value in
          var result = get(value)
          if !change(&result) { return false }
          set(&value, result)
          return true
        }
      })
  }
}
