extension MutableProperty {
  /// Keeps this property and `other` equal, starting with this property's value.
  ///
  /// Several threads may write both properties at the same time: when the last write has returned, the two are equal. If one
  /// property keeps another value than the one written (a limit, a trimmed text, a value that an action refuses), the other one takes that
  /// value too, also at the bind itself. Two properties that each refuse what the other keeps stay different. So do not bind two properties
  /// that never keep the same value: if each makes a new value of the other's, they change each other forever. A `set` must have taken
  /// effect when it returns, because the binding then reads the value. The binding keeps both properties alive until you dispose it, or
  /// until one of the two ends.
  public func bind(to other: MutableProperty<Value>) -> any Disposable {
    let this = self
    // An input carries no value. It only means that a property may have changed, and the handler reads the current values. So an older
    // value never overwrites a newer one, and when the event of the binding's own write arrives, the two properties are equal.
    let scope = Scope()
    let serial = Serial<BindingInput>(in: scope)
    _ = serial.send(.start)
    // Each stream first replays the current value, which `.start` compares.
    scope.connect(asObservable().skip(1), to: serial) { $0.isTerminal ? .end : .thisChanged }
    scope.connect(other.asObservable().skip(1), to: serial) { $0.isTerminal ? .end : .otherChanged }
    serial.start { input in
      switch input {
      case .start, .thisChanged: other.take(from: this)
      case .otherChanged: this.take(from: other)
      case .end:
        scope.dispose()
        return .noMore
      }
      return .more
    }
    return scope
  }

  /// Writes the value of `other` to this property. If this property keeps another value, `other` takes that one.
  ///
  /// A property that keeps the value that it had sends no event, so nothing but this read shows the difference.
  private func take(from other: MutableProperty<Value>) {
    let value = other.lastValue
    if isUnchanged(lastValue, value) { return }
    self.value = value
    let kept = lastValue
    // If `other` has changed meanwhile, the event of that change comes after this one.
    if !isUnchanged(kept, value), isUnchanged(other.lastValue, value) { other.value = kept }
  }
}

private enum BindingInput {
  case start, thisChanged, otherChanged, end
}
