/// A value that is stored elsewhere and cannot be observed. Only a read notices a change.
// Sendable: the lock of `core` guards the variable.
final class PolledValue<Value: Sendable & Equatable>: @unchecked Sendable {
  private let get: @Sendable () -> Value
  private let core = SubjectCore(SubjectState<Value>(size: 1))
  /// The number of reads that have found the value unchanged.
  @exclusivity(unchecked) private var unchanged: UInt64 = 0

  init(_ get: @escaping @Sendable () -> Value) {
    self.get = get
  }

  var stream: Observable<Value> {
    Observable(
      .subject { [self] in
        _ = read(.anew)
        return core.connect($0, $1)
      })
  }

  /// Reads the value, and sends it to the subscribers if it differs from the value read last.
  ///
  /// If another read has ended in the meantime, a change just read may be older than what that one has read, so this reads again. So the
  /// subscribers get the values in the order in which they were stored. The loop repeats only if another read has made progress.
  func read(_ reading: PropertyReading) -> Value {
    let known = core.withSubject { state in
      reading == .last || reading == .now && state.isDeliveringHere ? state.buffer.last : nil
    }
    if let known { return known }
    while true {
      let (last, number) = core.withSubject { ($0.buffer.last, $0.accepted + unchanged) }
      let value = get()
      if let last, isUnchanged(last, value) {
        core.withSubject { _ in unchanged += 1 }
        return value
      }
      if core.send(value, if: { $0.accepted + unchanged == number }) { return value }
    }
  }
}

/// How a property is read. It matters to a property of a storage that cannot be observed.
@usableFromInline
enum PropertyReading: Sendable {
  /// For the user. In a callback of the property, this is the value read last: reading a value that changes by itself, such as a clock,
  /// would send the next change from inside the callback, endlessly.
  case now
  /// After a write, and for a subscription.
  case anew
  /// Without reading the storage.
  case last
}

/// Whether `new` counts as equal to `old`. Also true for two values that do not equal themselves, such as NaN: if they counted as a change,
/// each change would cause the next one, endlessly.
func isUnchanged<Value: Equatable>(_ old: Value, _ new: Value) -> Bool {
  old == new || old != old && new != new
}
