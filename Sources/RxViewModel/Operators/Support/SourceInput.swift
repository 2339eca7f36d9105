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

extension CompositeDisposable {
  /// Subscribes to the sources from `index` on, in their order.
  ///
  /// - Returns: The first step. The result is this disposable.
  @inlinable
  func connecting<Element>(
    _ sources: [Observable<Element>], from index: Int = 0, to serializer: EventSerializer<SourceInput<Element>>
  ) -> Connecting {
    for index in index..<sources.count {
      let connecting = connecting(sources[index], to: serializer) { SourceInput(index: index, event: $0) }
      if !connecting.isDone { return connecting.then { self.connecting(sources, from: index + 1, to: serializer) } }
    }
    return .done(self)
  }
}
