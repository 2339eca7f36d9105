extension ObservableType {
  /// Sends the latest element of the source for each element of `trigger`.
  ///
  ///     source             --1--2--------3--|
  ///     trigger            -x-----x--x-----x--|
  ///     takeWhen(trigger)  -------2--2-----3--|
  ///
  /// Equivalent to `trigger.withLatestFrom(source)`. Subscribes to the source first. Drops the elements that `trigger` sends before the
  /// first element of the source. The stream completes when `trigger` completes. If either fails, the stream fails too, and the other
  /// subscription ends.
  @inlinable
  public func takeWhen(_ trigger: some ObservableType) -> Observable<Element> { trigger.withLatestFrom(self) }

  /// Sends the latest element of the source with each element of `trigger`.
  ///
  ///     source                 --1--2--------3--|
  ///     trigger                -x-----y--z-----w--|
  ///     takePairWhen(trigger)  -------2y-2z----3w-|
  ///
  /// Otherwise it behaves like ``takeWhen(_:)``.
  @inlinable
  public func takePairWhen<Trigger: ObservableType>(_ trigger: Trigger) -> Observable<(Element, Trigger.Element)> {
    trigger.withLatestFrom(self) { ($1, $0) }
  }
}
