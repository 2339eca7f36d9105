extension ObservableType {
  /// Sends the last `count` elements when the source completes.
  ///
  ///     source       --1--2--3--|
  ///     takeLast(2)  -----------(2,3|)
  ///
  /// Sends them on the thread of the completion. An error passes at once, and drops them. A `count` below 0 counts as 0. Retains at most
  /// `count` elements.
  @inlinable
  public func takeLast(_ count: Int) -> Observable<Element> {
    .lifting(asObservable()) { sink in
      let last = SubscriptionState(Queue<Element>())
      return { event in
        switch event {
        case .next(let element):
          last.value.append(element)
          if last.value.count > count { _ = last.value.popFirst() }
          return .more
        case .error:
          return forward(event, to: sink)
        case .completed:
          for element in last.value.elements where sink(.next(element)) == .noMore { return .noMore }
          return forward(.completed, to: sink)
        }
      }
    }
  }
}
