extension MutableProperty {
  /// Binds a control both ways: writes its edits, and renders what has become otherwise than it shows.
  ///
  ///     name.bind(edits: field.text, render: { [weak field] in field?.show($0) }).disposed(by: bag)
  ///
  /// Renders the value that is there before this returns, then each value that differs from what the control shows; never what it has
  /// just been edited to. Edits and values that come on the main actor are handled at once, others as soon as it is free. If the value
  /// has changed several times by then, the control is given the last one. The binding keeps the property alive until it is disposed.
  @MainActor
  public func bind(
    edits: some ObservableType<Value>, render: @escaping @MainActor @Sendable (Value) -> Void
  ) -> any Disposable {
    let control = Control<Value>()
    let refresh: @MainActor @Sendable () -> Void = {
      // Asked for, and not taken from the event: an edit may have been written since that was sent.
      let value = self.value
      if control.shown == value { return }
      control.shown = value
      render(value)
    }
    let values = bind { _ in refresh() }
    let written = edits.bind { edit in
      if control.shown == edit, value == edit { return }
      control.shown = edit
      value = edit
      // A store that does not take the edit sends nothing.
      refresh()
    }
    return Disposables.create(values, written)
  }
}

/// What a control shows.
@MainActor
private final class Control<Value> {
  var shown: Value?
}
