/// A value that is stored elsewhere, and that is known only as far as somebody has looked.
final class PolledValue<Value: Sendable & Equatable>: SubjectHost {
  private let get: @Sendable () -> Value
  private let values = PropertyValues<Value, Void>(nil, ())

  init(_ get: @escaping @Sendable () -> Value) {
    self.get = get
  }

  func withSubject<Result>(_ body: (inout SubjectState<Value>) -> Result) -> Result {
    values.withSubject(body)
  }

  /// Asks for the value, and sends it if it is another than at the last look.
  ///
  /// If another thread has sent a value meanwhile, this one may be older, and is asked for again. So what is sent comes in the order in
  /// which it was stored. A look is repeated only when another one has made progress.
  func look() -> Value {
    while true {
      let (last, version) = values.withSubject { ($0.buffer.last, $0.accepted) }
      let value = get()
      if let last, last == value { return value }
      var isLatest = false
      values.update { state in
        isLatest = state.subject.accepted == version
        return isLatest ? .next(value) : nil
      }
      if isLatest { return value }
    }
  }
}
