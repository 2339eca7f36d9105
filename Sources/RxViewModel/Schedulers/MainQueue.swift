import Dispatch

/// Runs code on the main actor, for callers that may be on it already.
///
/// Everything that the library sends to the main actor from elsewhere is a block of its own on the main queue, enqueued when it is sent. So
/// the main queue is the one order of all streams, live events and routes (contract 3.4).
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

  /// Runs `body` on the main actor: immediately if the caller is on it, otherwise in the order of sending.
  static func run(_ body: @escaping @MainActor @Sendable () -> Void) {
    if isCurrent { MainActor.assumeIsolated(body) } else { enqueue(body) }
  }

  /// Runs `body` on the main actor, never immediately, in the order of sending.
  static func enqueue(_ body: @escaping @MainActor @Sendable () -> Void) {
    DispatchQueue.main.async { MainActor.assumeIsolated(body) }
  }
}
