#if canImport(Darwin)
  import os
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

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
