#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Which thread is running: to tell a call from inside a callback from one of another thread.
@usableFromInline
struct ThreadID: Equatable, @unchecked Sendable {  // Sendable: an immutable name.
  @usableFromInline let thread: pthread_t

  @inlinable
  init(_ thread: pthread_t) {
    self.thread = thread
  }

  @inlinable
  static var current: ThreadID {
    ThreadID(pthread_self())
  }

  @inlinable
  static func == (left: ThreadID, right: ThreadID) -> Bool {
    pthread_equal(left.thread, right.thread) != 0
  }
}
