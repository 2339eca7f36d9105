import Dispatch

/// The way to the main actor, for code that may be on it already.
///
/// Whether it is, is asked of the main dispatch queue, which the main actor runs on, and not of the thread: on Linux the main queue
/// need not be served by the main thread.
enum MainQueue {
  private static let key: DispatchSpecificKey<Void> = {
    let key = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: key, value: ())
    return key
  }()

  static var isCurrent: Bool {
    DispatchQueue.getSpecific(key: key) != nil
  }

  /// Runs `body` on the main actor: at once if this is it, otherwise later.
  static func run(_ body: @escaping @MainActor @Sendable () -> Void) {
    if isCurrent {
      MainActor.assumeIsolated(body)
    } else {
      Task { @MainActor in body() }
    }
  }
}
