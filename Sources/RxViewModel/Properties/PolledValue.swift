/// A value that is stored elsewhere and cannot be observed. Only ``refresh()`` notices a change, and sends it to the subscribers.
// Sendable: the lock of `core` guards the variable.
final class PolledValue<Value: Sendable & Equatable>: @unchecked Sendable {
  private let get: @Sendable () -> Value
  /// Its buffer has the value sent last, and is empty before the first refresh.
  private let core = SubjectCore(SubjectState<Value>(size: 1))
  /// The number of refreshes that have found the value unchanged. Together with `core.accepted`, the number of refreshes that have ended.
  @exclusivity(unchecked) private var unchanged: UInt64 = 0

  init(_ get: @escaping @Sendable () -> Value) {
    self.get = get
  }

  deinit { core.releaseAll() }

  var stream: Observable<Value> {
    Observable(
      .subject { [self] in
        refresh()
        return core.connect($0, $1)
      })
  }

  /// The value sent last. Before the first refresh, the value in the storage.
  func last() -> Value { core.withSubject { $0.buffer.last } ?? get() }

  /// Reads the value, and sends it to the subscribers if it differs from the value sent last.
  ///
  /// If another refresh has ended in the meantime, its value may be newer than the value just read, so this reads again. So the subscribers
  /// get the values in the order in which they were stored. The loop repeats only if another refresh has made progress.
  func refresh() {
    while true {
      let (last, sent, number) = core.withSubject { ($0.buffer.last, $0.accepted, $0.accepted + unchanged) }
      let value = get()
      let isSame = last.map { isUnchanged($0, value) } ?? false
      if !isSame, core.send(value, if: { $0.accepted + unchanged == number }) { return }
      let isNewest = core.withSubject { state in
        if !isSame || state.accepted != sent { return false }
        unchanged += 1
        return true
      }
      if isNewest { return }
    }
  }
}
