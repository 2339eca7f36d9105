extension MutableProperty {
  /// Binds a control in both directions: writes its edits to the property, and renders the values that the control doesn't show yet.
  ///
  ///     name.bind(edits: field.edits) { [weak field] in field?.text = $0 }.disposed(by: bag)
  ///
  /// Renders the current value before this returns, and then each value that differs from the control's. An edit is never rendered back
  /// into the control that made it, so the cursor doesn't jump. Edits and values that arrive on the main actor are handled immediately if
  /// no earlier one waits, others as soon as the main actor is free. If the value has changed several times by then, only the last one is
  /// rendered. `edits` must not fail, as in ``ObservableType/bind(_:)``. The binding keeps the property alive until you dispose it.
  @MainActor
  public func bind(
    edits: some ObservableType<Value>, render: @escaping @MainActor @Sendable (Value) -> Void
  ) -> any Disposable {
    let control = Control<Value>()
    let refresh: @MainActor @Sendable () -> Void = {
      // Reads the property instead of using the event's value, because an edit may have been written since the event was sent.
      let value = readOnly.lastValue
      if let shown = control.shown, isUnchanged(shown, value) { return }
      control.show(value)
      render(value)
    }
    let values = bind { _ in refresh() }
    let written = edits.bind { edit in
      // The control repeats what it shows. A newer value may be on its way.
      if let shown = control.shown, isUnchanged(shown, edit) { return }
      control.show(edit)
      value = edit
      // If the storage rejects the edit, the property sends nothing, and the control must show the property's unchanged value.
      refresh()
    }
    return Disposables.create(values, written)
  }
}

/// The value that a control shows.
@MainActor
private final class Control<Value> {
  private(set) var shown: Value?

  /// Stores the value, and releases the old one after the access to `shown` has ended, because its `deinit` may access `shown`.
  func show(_ value: Value) {
    var last: Value? = value
    swap(&last, &shown)
  }
}
