import RxViewModel

/// The test observers that listen in virtual time, counted by the task or the thread of the test that has subscribed them.
///
/// If the same test then starts a task outside of its scheduler's work, the task runs on a real thread, and the test may pass or fail
/// before it ends. This fails a test of Swift Testing for that, once. In another test it writes the message to standard error.
enum ListeningObservers {
  /// The test that calls: its Swift task, or its thread in a test without one.
  ///
  /// The hash value of a task is its address. That of an ended task may be a new task's, so the test is named, too.
  // Sendable: the `id` of a test is `Sendable`.
  enum Context: Hashable, @unchecked Sendable {
    case task(Int, of: AnyHashable?)
    case thread(ThreadID)

    static var current: Context {
      withUnsafeCurrentTask { $0.map { .task($0.hashValue, of: SwiftTesting.loaded?.testID) } } ?? .thread(.current)
    }
  }

  private struct Listening {
    var count = 0
    var isReported = false
  }

  private static let listening: Lock<[Context: Listening]> = {
    tasksOnRealThreads.withLock { $0 = { reportTask() } }
    return Lock([:])
  }()

  /// Counts an observer. Returns the context to pass to ``remove(_:)``.
  static func add() -> Context {
    let context = Context.current
    listening.withLock { $0[context, default: Listening()].count += 1 }
    return context
  }

  static func remove(_ context: Context) {
    listening.withLock { listening in
      listening[context]?.count -= 1
      if listening[context]?.count == 0 { listening[context] = nil }
    }
  }

  private static func reportTask() {
    let context = Context.current
    let isNew = listening.withLock { listening in
      guard let entry = listening[context], !entry.isReported else { return false }
      listening[context]?.isReported = true
      return true
    }
    if !isNew { return }
    // The place of the event that has caused the task is not known.
    if case .swiftTesting(let testing) = TestFramework.current() {
      testing.record(sentence, at: TestFailure.Place(file: #fileID, line: #line))
    } else {
      writeToStandardError("RxViewModelTesting: \(sentence)\n")
    }
  }

  static let sentence = """
    a task was subscribed outside of the work of a TestScheduler while a test observer of the scheduler listens. The task runs on a real \
    thread, and the test does not wait for it. Write scheduler.run { … } around the call that causes it
    """
}
