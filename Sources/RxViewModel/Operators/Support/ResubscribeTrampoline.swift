/// Sources that follow one another without recursion: if one has ended before `connect` has returned, whoever connected it
/// goes on to the next, in a loop; otherwise the thread that ends it does.
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

  /// True if the source has ended meanwhile, so that the caller goes on.
  @inlinable
  mutating func connected() -> Bool {
    isConnecting = false
    return hasEndedInside
  }

  /// True if the caller goes on.
  @inlinable
  mutating func ended() -> Bool {
    hasEndedInside = isConnecting
    return !isConnecting
  }
}
