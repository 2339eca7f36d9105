extension MutableProperty {
  /// Keeps this property and `other` equal, starting with this property's value.
  ///
  /// However many threads write either property, the two are equal when the last write has returned. If one keeps another value than it was
  /// given (a limit, a trimmed text, a value that an action refuses), the other takes that value too, even when you bind them. Only two
  /// properties that each refuse what the other keeps stay different; don't bind those, because each may change the other forever. A `set`
  /// must have taken effect when it returns, because the binding then reads the value. The binding keeps both properties alive until you
  /// dispose it, or until one of them ends.
  public func bind(to other: MutableProperty<Value>) -> any Disposable {
    let this = self
    // An input carries no value. It only means that a property may have changed, and the handler reads the current values. So an older
    // value never overwrites a newer one, and when the event of the binding's own write arrives, the two properties are equal.
    let scope = Scope()
    let serial = Serial<BindingInput>(in: scope)
    // The first input is the replay of this property's value. That of `other` is skipped, because this value overwrites it.
    scope.connect(asObservable(), to: serial) { $0.isTerminal ? .end : .thisChanged }
    scope.connect(other.asObservable().skip(1), to: serial) { $0.isTerminal ? .end : .otherChanged }
    serial.start { input in
      switch input {
      case .thisChanged: other.copyValue(of: this)
      case .otherChanged: this.copyValue(of: other)
      case .end:
        scope.dispose()
        return .noMore
      }
      return .more
    }
    return scope
  }

  /// Writes the value of `other` to this property. If this property keeps another value, writes that one to `other`.
  ///
  /// A property that keeps the value that it had sends no event, so nothing but the read after the write shows the difference.
  private func copyValue(of other: MutableProperty<Value>) {
    let value = other.readOnly.lastValue
    if isUnchanged(readOnly.lastValue, value) { return }
    self.value = value
    let kept = readOnly.lastValue
    // If `other` has changed meanwhile, the event of that change comes after this one.
    if !isUnchanged(kept, value), isUnchanged(other.readOnly.lastValue, value) { other.value = kept }
  }
}

private enum BindingInput {
  case thisChanged, otherChanged, end
}
