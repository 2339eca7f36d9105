extension ObservableType {
  /// Sends all elements as one array when the source completes.
  ///
  ///     source     --1--2--3--|
  ///     toArray()  -----------([1,2,3]|)
  ///
  /// An error of the source ends the stream without an array. Retains all elements until then.
  @inlinable
  public func toArray() -> Observable<[Element]> {
    .lifting(asObservable()) { sink in
      let all = SubscriptionState<[Element]>([])
      return { event in
        if case .next(let element) = event { all.value.append(element) }
        if case .completed = event { return finish(with: .next(all.value), sink) }
        return forward(event.compactMap { _ in [Element]?.none }, to: sink)
      }
    }
  }
}
