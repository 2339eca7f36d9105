#if canImport(Observation)
  import Observation

  /// A value whose reads and changes Observation tracks.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor
  final class TrackedValue<Value: Sendable>: Observation.Observable {
    private let registrar = ObservationRegistrar()
    private var current: Value
    /// Whether a view has read the value between the announcement of a change and the change itself.
    private var isReadEarly = false
    /// The number of the last write.
    private var lastWrite = 0

    init(_ value: Value) {
      current = value
    }

    var value: Value {
      registrar.access(self, keyPath: \.value)
      isReadEarly = true
      return current
    }

    /// The value, for a reader that is not to be notified.
    var untracked: Value { current }

    /// Changes the value, and notifies the views that have read it.
    func set(_ new: Value) {
      isReadEarly = false
      lastWrite += 1
      let write = lastWrite
      registrar.willSet(self, keyPath: \.value)
      let isOutdated = isReadEarly
      // The old value is released after the access to `current` has ended.
      var last = new
      // A view that writes in answer to the announcement has written later than this.
      if write == lastWrite { swap(&last, &current) }
      registrar.didSet(self, keyPath: \.value)
      if isOutdated {
        // A view that has read the value between the two calls has read the old one. This notification makes it read again.
        registrar.willSet(self, keyPath: \.value)
        registrar.didSet(self, keyPath: \.value)
      }
    }
  }
#endif
