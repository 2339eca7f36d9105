extension MutableProperty {
  /// Keeps two properties equal; `other` takes this one's value first.
  ///
  /// Whatever is written to either at the same time, they are equal once nobody writes. What a side makes of the value that it is given
  /// (a limit, a trimmed text) the other one takes too. The binding keeps both alive until it is disposed, or one of the two ends.
  public func bind(to other: MutableProperty<Value>) -> any Disposable {
    let this = self
    // Each input says only that there is something to look at. So a value that has been written meanwhile is never overwritten by an
    // older one, and an event that an own write has caused finds the two equal.
    let serializer = EventSerializer<BindingInput>(isBusy: true) { input in
      switch input {
      case .start, .thisChanged:
        let value = this.value
        if other.value != value { other.value = value }
      case .otherChanged:
        let value = other.value
        if this.value != value { this.value = value }
      case .end: return .noMore
      }
      return .more
    }
    let subscriptions = CompositeDisposable(closing: serializer)
    _ = serializer.send(.start)
    // The first value of each is the one that it has now.
    subscriptions.connect(asObservable().skip(1), to: serializer) { $0.isTerminal ? .end : .thisChanged }
    subscriptions.connect(other.asObservable().skip(1), to: serializer) { $0.isTerminal ? .end : .otherChanged }
    subscriptions.dispose(unlessWanted: serializer.run())
    return subscriptions
  }
}

private enum BindingInput {
  case start, thisChanged, otherChanged, end
}
