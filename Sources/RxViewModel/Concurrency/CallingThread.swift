/// Identifies a thread, so that the testing library can tell the work that its own thread schedules from the work of
/// other threads.
package struct CallingThread: Equatable, Sendable {
  private let id = ThreadID.current

  /// Identifies the calling thread.
  package init() {}
}
