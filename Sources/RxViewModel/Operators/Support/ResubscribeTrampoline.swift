/// Decides which thread subscribes to the next of several sources that follow one another, so that none recurses.
///
/// If a source has ended before `connect` has returned, the thread that connected it subscribes to the next one, in a
/// loop. Otherwise the thread that ends it does.
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

  /// True if the source has ended in the meantime, so that the caller subscribes to the next one.
  @inlinable
  mutating func connected() -> Bool {
    isConnecting = false
    return hasEndedInside
  }

  /// True if the caller subscribes to the next one.
  @inlinable
  mutating func ended() -> Bool {
    hasEndedInside = isConnecting
    return !isConnecting
  }
}
