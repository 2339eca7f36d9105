/// An event of one of any number of sources.
@usableFromInline
struct SourceInput<Element: Sendable>: Sendable {
  /// The place of the source among the others.
  @usableFromInline let index: Int
  @usableFromInline let event: Event<Element>

  @inlinable
  init(index: Int, event: Event<Element>) {
    self.index = index
    self.event = event
  }
}
