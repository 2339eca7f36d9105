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

// Everything that depends on the operating system, in one file, so that only this file needs the imports above.

/// The only lock type of the library: a value that is accessible only inside `withLock`.
///
/// The body must be short and run no user code: it must not call the user's closures, subscribe, dispose, or release the last reference to
/// an object that may be the user's. Instead it moves such objects out, and the caller releases them after `withLock` has returned
/// (contract 1.3).
///
/// The value is stored behind a pointer, so that an access needs no exclusivity check at run time.
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
          var attributes = pthread_mutexattr_t()
          pthread_mutexattr_init(&attributes)
          #if canImport(Glibc)
            // It waits actively for a moment before it sleeps: the bodies are short.
            pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
          #endif
          let status = pthread_mutex_init(mutex, &attributes)
          require(status == 0, "pthread_mutex_init failed")
        }
        return value
      }
    }

    @inline(__always)
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

/// Identifies a thread, to distinguish a call from inside a callback from a call on another thread.
@usableFromInline
package struct ThreadID: Equatable, @unchecked Sendable {  // Sendable: an immutable name.
  @usableFromInline let thread: pthread_t

  @inlinable
  init(_ thread: pthread_t) {
    self.thread = thread
  }

  @inlinable
  package static var current: ThreadID {
    ThreadID(pthread_self())
  }

  /// Whether the calling thread is this one: whether a call comes from inside what this thread does.
  @inlinable
  package var isCurrent: Bool { self == .current }

  @inlinable
  package static func == (left: ThreadID, right: ThreadID) -> Bool {
    pthread_equal(left.thread, right.thread) != 0
  }
}

/// Writes `text` to standard error.
package func writeToStandardError(_ text: String) {
  _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
}
