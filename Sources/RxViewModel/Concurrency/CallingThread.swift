/// The thread that is running, for the testing library: to tell what it schedules from what comes from elsewhere.
package struct CallingThread: Equatable, Sendable {
  private let id = ThreadID.current

  /// The thread that calls this.
  package init() {}
}
