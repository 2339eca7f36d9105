extension ObservableType {
  /// Collects the elements in arrays of `count`.
  ///
  ///     source            --1--2--3--|
  ///     buffer(count: 2)  -----[1,2]-([3]|)
  ///
  /// Sends an array when its last element arrives. When the source completes, sends the remaining elements first. An error passes at once,
  /// and drops the remaining elements. A `count` of 0 or less is a programming mistake and is trapped.
  @inlinable
  public func buffer(count: Int) -> Observable<[Element]> {
    require(count > 0, "buffer: count must be greater than 0")
    return .lifting(asObservable()) { sink in
      let buffer = SubscriptionState<[Element]>([])
      return { event in
        switch event {
        case .next(let element):
          buffer.value.append(element)
          return forward(buffer.full(count), to: sink)
        case .error(let error):
          return forward(.error(error), to: sink)
        case .completed:
          return buffer.value.isEmpty ? forward(.completed, to: sink) : finish(with: .next(buffer.value), sink)
        }
      }
    }
  }
}

extension SubscriptionState {
  /// Returns the buffer's elements, and empties it, if it holds `count` of them.
  @inlinable
  func full<Element: Sendable>(_ count: Int) -> Event<[Element]>? where Value == [Element] {
    if value.count < count { return nil }
    var buffer: [Element] = []
    swap(&buffer, &value)
    return .next(buffer)
  }
}
