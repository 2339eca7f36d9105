#if canImport(Darwin)
  import Darwin
  import os
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  #error("RxViewModel does not know this system: import its C library here")
#endif

// All that the library asks of the operating system, in one file, so that the imports above stand once.

/// The one lock of the library: a value that can be reached only inside `withLock`.
///
/// The body holds a few lines and runs none of the user's code: it calls no closure of the user's, subscribes to and
/// disposes nothing, and drops no last reference to what may be the user's. What has to be dropped is moved out and
/// dropped behind the call (contract 1.3).
///
/// The value lives behind a pointer, so that reaching it pays for no exclusivity check at run time.
@usableFromInline
package struct Lock<Value>: @unchecked Sendable {  // Sendable: every access to the value holds the mutex.
  #if canImport(Darwin)
    @usableFromInline let storage: OSAllocatedUnfairLock<Value>

    @inlinable
    package init(_ value: Value) {
      storage = OSAllocatedUnfairLock(uncheckedState: value)
    }

    @inlinable
    package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
      storage.withLockUnchecked(body)
    }
  #else
    @usableFromInline let storage: ManagedBuffer<Value, pthread_mutex_t>

    @inlinable
    package init(_ value: Value) {
      storage = LockStorage<Value>.create(minimumCapacity: 1) { buffer in
        buffer.withUnsafeMutablePointerToElements { mutex in
          mutex.initialize(to: pthread_mutex_t())
          let status = pthread_mutex_init(mutex, nil)
          require(status == 0, "pthread_mutex_init failed")
        }
        return value
      }
    }

    @inlinable
    package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
      storage.withUnsafeMutablePointers { value, mutex in
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&value.pointee)
      }
    }
  #endif
}

#if !canImport(Darwin)
  @usableFromInline
  final class LockStorage<Value>: ManagedBuffer<Value, pthread_mutex_t> {
    @inlinable
    deinit {
      _ = withUnsafeMutablePointerToElements { pthread_mutex_destroy($0) }
    }
  }
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

/// Writes `text` to standard error.
func writeToStandardError(_ text: String) {
  _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
}
