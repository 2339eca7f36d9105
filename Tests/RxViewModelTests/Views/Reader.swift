#if canImport(Observation)
  import Dispatch
  import Observation

  /// Reads as a view does: again at each notification.
  @MainActor
  final class Reader<Value: Equatable> {
    /// What it has read, without repetitions.
    private(set) var values: [Value] = []
    private(set) var notifications = 0
    private let read: @MainActor () -> Value

    init(_ read: @escaping @MainActor () -> Value) {
      self.read = read
      track()
    }

    private func track() {
      let value = withObservationTracking(read) { [weak self] in
        MainActor.assumeIsolated {
          self?.notifications += 1
          self?.track()
        }
      }
      if values.last != value { values.append(value) }
    }
  }

  /// Returns when the main queue has run the work that waits there now.
  func mainQueueHasRun() async {
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
  }
#endif
