/// A property that you can write.
///
///     let query = MutableProperty("")
///     query.bind { [weak label] in label?.text = $0 }.disposed(by: bag)
///     query.value = "ant"
///
/// You can use it from any thread. If the property stores its value, writes happen one at a time; with ``init(get:set:)`` your storage has
/// to see to that. All subscribers see the values in one order. If a callback writes a value, it is delivered after all subscribers have
/// seen the one before. Copies of a property share one value.
public struct MutableProperty<Value: Sendable & Equatable>: ObservableType {
  /// A read-only view of this property.
  public let readOnly: Property<Value>
  @usableFromInline let write: @Sendable (Value) -> Void
  /// Calls its argument with the current value, perhaps several times, and writes the changed value if that returns true.
  @usableFromInline let modify: @Sendable (_ change: (inout Value) -> Bool) -> Void

  /// Makes a property that stores its value.
  ///
  /// A write costs as much as a write to a ``BehaviorSubject``, and one comparison per subscriber.
  @inlinable
  public init(_ value: Value) {
    let subject = BehaviorSubject(value: value)
    self.init(
      readOnly: Property(
        read: { subject.value },
        changes: subject.asObservable().distinctUntilChanged()),
      write: { subject.core.send($0) },
      modify: { subject.core.update($0) })
  }

  /// Makes a property whose value is stored elsewhere.
  ///
  /// A write calls `set` on the writing thread, then ``Property/refresh()`` for what the storage has kept. The library doesn't serialize calls of `set`
  /// from several threads, so your storage must.
  public init(get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void) {
    self.init(Property(get: get), set: set)
  }

  /// The current value.
  ///
  /// When a write returns, it has taken effect. Another thread may still be delivering it to the subscribers.
  @inlinable
  public var value: Value {
    get { readOnly.value }
    nonmutating set { write(newValue) }
  }

  /// Changes the value atomically: no other write comes between reading and writing it, so none is lost.
  ///
  ///     cart.update { $0.items.append(item) }
  ///     let number = tickets.update { count in
  ///       count += 1
  ///       return count
  ///     }
  ///
  /// You can call it from any thread. No lock is held while `body` runs. If another thread writes meanwhile, `body` runs again with the
  /// newer value, so keep it short and free of side effects. A `body` that itself writes this property is trapped. If `body` throws,
  /// nothing is written. Subscribers get the new value as after an assignment, and nothing if it hasn't changed.
  ///
  /// If the storage is your own (``init(get:set:)``), an update reads and then writes, and another write may come
  /// between. If the property belongs to a view model, an update executes an action: no other write to the property comes between, but
  /// other actions may.
  @inlinable
  @discardableResult
  public func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try updating(by: modify, body)
  }

  /// The values as a stream: the current value, on the subscribing thread, then each change.
  ///
  /// Never sends two equal values in a row, and never fails. The stream of a property made with `init(_:)` or ``init(get:set:)`` never
  /// completes; any other completes when its source ends.
  @inlinable
  public func asObservable() -> Observable<Value> { readOnly.changes }

  /// Returns a property for a part of the value, or for another form of it.
  ///
  /// A write is an ``update(_:)`` of the whole value, in which `set` changes its part. So two threads can write two parts of one value at
  /// the same time without losing either. In a write, `get` and `set` run on the writing thread, and again if another thread has written
  /// meanwhile. Otherwise `get` is called like the closure of ``Property/map(_:)``.
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

  /// Makes a property that reads from `readOnly` and writes with `set`.
  ///
  /// A write calls `set` on the writing thread.
  package init(_ readOnly: Property<Value>, set: @escaping @Sendable (Value) -> Void) {
    let write: @Sendable (Value) -> Void = { value in
      set(value)
      // If the value is stored elsewhere, this sends the subscribers the value that the storage has kept.
      readOnly.refresh()
    }
    self.init(readOnly: readOnly, write: write) { change in
      var value = readOnly.value
      if change(&value) { write(value) }
    }
  }

  @inlinable
  init(
    readOnly: Property<Value>, write: @escaping @Sendable (Value) -> Void,
    modify: @escaping @Sendable (_ change: (inout Value) -> Bool) -> Void
  ) {
    (self.readOnly, self.write, self.modify) = (readOnly, write, modify)
  }
}
