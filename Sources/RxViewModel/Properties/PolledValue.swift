/// A value that is stored elsewhere and cannot be observed. Only a read notices a change, and sends it to the subscribers.
// Sendable: the lock of `core` guards the variable.
final class PolledValue<Value: Sendable & Equatable>: @unchecked Sendable {
  private let get: @Sendable () -> Value
  /// Its buffer has the value read last, and is empty before the first read.
  private let core = SubjectCore(SubjectState<Value>(size: 1))
  /// The number of reads that have found the value unchanged. Together with `core.accepted`, the number of reads that have ended.
  @exclusivity(unchecked) private var unchanged: UInt64 = 0

  init(_ get: @escaping @Sendable () -> Value) {
    self.get = get
  }

  var stream: Observable<Value> {
    Observable(
      .subject { [self] in
        _ = read(.fromStorage)
        return core.connect($0, $1)
      })
  }

  /// Reads the value, and sends it to the subscribers if it differs from the value read last.
  ///
  /// If another read has ended in the meantime, its value may be newer than a change just read, so this reads again. So the subscribers get
  /// the values in the order in which they were stored. The loop repeats only if another read has made progress.
  func read(_ reading: PropertyReading) -> Value {
    let known = core.withSubject { state in
      reading == .lastKnown || reading == .now && state.isDeliveringHere ? state.buffer.last : nil
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
