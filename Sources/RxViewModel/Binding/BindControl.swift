extension MutableProperty {
  /// Binds a control both ways: writes its edits to the property, and renders the values that it does not show yet.
  ///
  ///     name.bind(edits: field.text, render: { [weak field] in field?.show($0) }).disposed(by: bag)
  ///
  /// Renders the current value before this returns, and then each value that differs from what the control shows. The
  /// binding never renders an edit back into the control that made it. It handles edits and values that come on the
  /// main actor at once, and others as soon as the main actor is free. If the value has changed several times by then,
  /// it renders the last one only. The binding keeps the property alive until you dispose it.
  @MainActor
  public func bind(
    edits: some ObservableType<Value>, render: @escaping @MainActor @Sendable (Value) -> Void
  ) -> any Disposable {
    let control = Control<Value>()
    let refresh: @MainActor @Sendable () -> Void = {
      // Read from the property, and not taken from the event: an edit may have been written since the event was sent.
      let value = self.lastValue
      if let shown = control.shown, isUnchanged(shown, value) { return }
      control.show(value)
      render(value)
    }
    let values = bind { _ in refresh() }
    let written = edits.bind { edit in
      if control.shown == edit, value == edit { return }
      control.show(edit)
      value = edit
      // If the storage rejects the edit, the property sends nothing, and the control has to show the value that stays.
      refresh()
    }
    return Disposables.create(values, written)
  }
}

/// The value that a control shows.
@MainActor
private final class Control<Value> {
  private(set) var shown: Value?

  /// The old value is released when `shown` can be used again.
  func show(_ value: Value) {
    var last: Value? = value
    swap(&last, &shown)
  }
}
