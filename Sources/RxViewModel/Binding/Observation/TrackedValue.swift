#if canImport(Observation)
  import Observation

  /// A value whose reads and changes Observation tracks.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor
  final class TrackedValue<Value: Sendable>: Observation.Observable {
    private let registrar = ObservationRegistrar()
    private var current: Value
    /// The change that views are being notified of, while `current` is still the value before it.
    private var announced: Change?

    private struct Change {
      /// Whether a view has read the value before the change.
      var isReadEarly = false
      /// Whether a view has written the value in answer, which is later than this change.
      var isReplaced = false
    }

    init(_ value: Value) {
      current = value
    }

    var value: Value {
      registrar.access(self, keyPath: \.value)
      announced?.isReadEarly = true
      return current
    }

    /// The value, for a reader that is not to be notified.
    var untracked: Value { current }

    /// Changes the value, and notifies the views that have read it. A view may write the value in answer.
    func set(_ new: Value) {
      // The old value is released after the access to `current` has ended.
      var last = new
      if announced != nil {
        announced?.isReplaced = true
        return swap(&last, &current)
      }
      announced = Change()
      registrar.willSet(self, keyPath: \.value)
      let change = announced
      announced = nil
      if change?.isReplaced != true { swap(&last, &current) }
      registrar.didSet(self, keyPath: \.value)
      if change?.isReadEarly == true {
        // A view that has read the value between the two calls has read the old one. This notification makes it read again.
        registrar.willSet(self, keyPath: \.value)
        registrar.didSet(self, keyPath: \.value)
      }
    }
  }
#endif
