import Observation

/// Something that views observe, until its next change: a view that is notified reads again.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
final class Tracked: Observation.Observable {
  private let registrar = ObservationRegistrar()
  private var mark: Void { () }
  /// The number of changes that views still have to be notified of: the current one, and those that views have made in answer to it.
  private var changes = 0

  func access() { registrar.access(self, keyPath: \.mark) }

  /// Notifies the views that have read. Called after the change, so that a view that reads again immediately gets the new value. If a view
  /// makes another change in answer, notifies those that have read meanwhile, too.
  func notify() {
    changes += 1
    if changes > 1 { return }
    while changes > 0 {
      changes = 1
      registrar.willSet(self, keyPath: \.mark)
      registrar.didSet(self, keyPath: \.mark)
      changes -= 1
    }
  }
}

/// A value whose reads and changes Observation tracks.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
final class TrackedValue<Value: Sendable> {
  /// The value, for a reader that is not to be notified.
  private(set) var untracked: Value
  private let entry = Tracked()

  init(_ value: Value) { untracked = value }

  var value: Value {
    entry.access()
    return untracked
  }

  func set(_ new: Value) { replace(new).notify() }

  /// Changes the value. The caller notifies.
  func replace(_ new: Value) -> Tracked {
    // The old value is released after the access to `untracked` has ended.
    var last = new
    swap(&last, &untracked)
    return entry
  }
}
