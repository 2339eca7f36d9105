extension ObservableType {
  /// Drops the elements, and passes on the end: a stream of any element type.
  ///
  ///     source            --1--2--|
  ///     ignoreElements()  --------|
  ///
  /// The element type comes from the context. So a write whose result is not needed is an effect of a view model:
  ///
  /// ```swift
  /// case .save(let text): .task { try await service.save(text) }.ignoreElements()
  /// ```
  ///
  /// The action emits the current state once, when the stream completes.
  @inlinable
  public func ignoreElements<Other: Sendable>() -> Observable<Other> { .lifting(asObservable()) { _, _ in .more } }
}
