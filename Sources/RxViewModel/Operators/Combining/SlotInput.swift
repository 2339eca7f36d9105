/// An event of one of several sources, whose types need not be known: storing the element, or noting the completion, is
/// left to a closure that knows the source's place.
@usableFromInline
enum SlotInput {
  case next(() -> Void)
  case error(any Error)
  case completed(() -> Void)
}

/// One subscription to an operator of any number of sources: `Element` is what it makes of their elements.
///
/// The drain's handler keeps `combine` only: `connect` holds the sources, and a source holds the drain.
@usableFromInline
struct Slots<Element: Sendable>: Sendable {
  /// Subscribes to the sources, in their order.
  @usableFromInline let connect: @Sendable (Subscriptions, Drain<SlotInput>) -> Void
  /// Reads one element from each source's slot. Called when each slot holds one.
  @usableFromInline let combine: @Sendable () throws -> Element

  @inlinable
  init(
    connect: @escaping @Sendable (Subscriptions, Drain<SlotInput>) -> Void,
    combine: @escaping @Sendable () throws -> Element
  ) {
    self.connect = connect
    self.combine = combine
  }
}

extension Event {
  /// What `body` returns as an element, or the error that it throws.
  @inlinable
  init(catching body: () throws -> Element) {
    do {
      self = .next(try body())
    } catch {
      self = .error(error)
    }
  }
}
