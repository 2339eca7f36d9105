/// Decides which thread subscribes to the next of several consecutive sources, so that subscribing does not recurse.
///
/// If a source ends before `connect` has returned, the thread that called `connect` subscribes to the next source, in a loop. Otherwise the
/// thread on which the source ends subscribes to the next one.
@usableFromInline
struct ResubscribeTrampoline {
  @usableFromInline var isConnecting = false
  @usableFromInline var hasEndedInside = false

  @inlinable
  init() {}

  @inlinable
  mutating func connecting() {
    isConnecting = true
    hasEndedInside = false
  }

  /// Called when `connect` has returned. Returns true if the source has ended already: the caller subscribes to the next one.
  @inlinable
  mutating func connected() -> Bool {
    isConnecting = false
    return hasEndedInside
  }

  /// Called when the source ends. Returns true if the caller subscribes to the next one.
  @inlinable
  mutating func ended() -> Bool {
    hasEndedInside = isConnecting
    return !isConnecting
  }
}
