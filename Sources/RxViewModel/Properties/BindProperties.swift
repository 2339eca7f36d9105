extension MutableProperty {
  /// Keeps this property and `other` equal, starting with this property's value.
  ///
  /// Several threads may write both properties at the same time: when the writes have ended, the two are equal. If one property stores a
  /// different value from the one written (a limit, a trimmed text), the other one takes that value too. So do not bind two properties that
  /// never store the same value: they would change each other forever. The binding keeps both properties alive until you dispose it, or
  /// until one of the two ends.
  public func bind(to other: MutableProperty<Value>) -> any Disposable {
    let this = self
    // An input carries no value. It only means that a property may have changed, and the handler reads the current values. So an older
    // value never overwrites a newer one, and when the event of the binding's own write arrives, the two properties are equal.
    let scope = Scope()
    let serial = Serial<BindingInput>(in: scope, isBusy: true) { input in
      switch input {
      case .start, .thisChanged:
        let value = this.lastValue
        if !isUnchanged(other.lastValue, value) { other.value = value }
      case .otherChanged:
        let value = other.lastValue
        if !isUnchanged(this.lastValue, value) { this.value = value }
      case .end:
        scope.dispose()
        return .noMore
      }
      return .more
    }
    _ = serial.send(.start)
    // Each stream first replays the current value, which `.start` compares.
    scope.connect(asObservable().skip(1), to: serial) { $0.isTerminal ? .end : .thisChanged }
    scope.connect(other.asObservable().skip(1), to: serial) { $0.isTerminal ? .end : .otherChanged }
    _ = serial.run()
    return scope
  }
}

private enum BindingInput {
  case start, thisChanged, otherChanged, end
}
