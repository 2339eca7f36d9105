import Dispatch

/// Runs code on the main actor, for callers that may be on it already.
///
/// Checks for the main dispatch queue, which the main actor runs on, and not for the main thread: on Linux another
/// thread may serve the main queue.
enum MainQueue {
  private static let key: DispatchSpecificKey<Void> = {
    let key = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: key, value: ())
    return key
  }()

  static var isCurrent: Bool {
    DispatchQueue.getSpecific(key: key) != nil
  }

  /// Runs `body` on the main actor: at once if the caller is on it, otherwise later.
  static func run(_ body: @escaping @MainActor @Sendable () -> Void) {
    if isCurrent {
      MainActor.assumeIsolated(body)
    } else {
      Task { @MainActor in body() }
    }
  }
}
