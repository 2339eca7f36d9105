/// A value that is stored elsewhere and cannot be observed. Only a read notices a change.
final class PolledValue<Value: Sendable & Equatable>: SubjectHost {
  private let get: @Sendable () -> Value
  private let values = PropertyValues<Value, Void>(nil, ())

  init(_ get: @escaping @Sendable () -> Value) {
    self.get = get
  }

  func withSubject<Result>(_ body: (inout SubjectState<Value>) -> Result) -> Result {
    values.withSubject(body)
  }

  /// The value read last.
  var last: Value {
    values.withSubject { $0.buffer.last } ?? poll()
  }

  /// Reads the value, and sends it to the subscribers if it differs from the value read last.
  ///
  /// If another thread has sent a value in the meantime, the value just read may be older, so this reads again. So the subscribers get the
  /// values in the order in which they were stored. The loop repeats only if another read has made progress.
  func poll() -> Value {
    while true {
      let (last, version) = values.withSubject { ($0.buffer.last, $0.accepted) }
      let value = get()
      if let last, isUnchanged(last, value) { return value }
      var isLatest = false
      values.update { state in
        isLatest = state.subject.accepted == version
        return isLatest ? .next(value) : nil
      }
      if isLatest { return value }
    }
  }
}
