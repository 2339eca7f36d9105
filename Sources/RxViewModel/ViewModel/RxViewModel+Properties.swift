extension RxViewModel {
  /// Returns a property that reads and observes a part of the state.
  ///
  /// The property calls `part` with each state on the scheduler, and with the current state at each read. It completes with the view
  /// model's streams, and keeps the last value. It doesn't keep the view model alive. While you use it, it costs one call of `part` for
  /// each state, and one for each subscription that is made while the view model delivers.
  public final func property<Value: Sendable & Equatable>(
    _ part: @escaping @Sendable (State) -> Value
  ) -> Property<Value> {
    property(reading: { part($0.value) })
  }

  final func property<Value: Sendable & Equatable>(
    reading part: @escaping @Sendable (Box<State>) -> Value
  ) -> Property<Value> {
    let fed = Property(
      initial: part(engine.currentState), then: engine.stream.map { (state: Box<State>) -> Value in part(state) },
      delivered: { [engine] in engine.stateDeliveredHere.map(part) })
    return Property(
      read: { [engine] in if let state = engine.lastState { part(state) } else { fed.value } },
      changes: fed.changes)
  }

  /// Returns a property that reads a part of the state, and writes it by executing an action.
  ///
  ///     let name = viewModel.property(\.username, set: LoginAction.setUsername)
  ///     name.value = "admin"  // executes .setUsername("admin"); name.value is "admin" from here on
  ///
  /// A written value shows immediately, until a mapper of its action has been folded or the action has ended, whatever its outcome. Then
  /// the property shows the state's value again. Only the action of the last write counts, so a subscriber never sees a late echo of an
  /// older edit, but it does see the view model's correction of an edit. You can write from several threads: the view model executes the
  /// actions in the order of the writes.
  ///
  /// The property calls `action` on the writing thread, and `part` like ``property(_:)``. It doesn't keep the view model alive. At
  /// ``clear()``, and when the view model is released, its value is the state's again, and it completes. A later write does nothing, and
  /// the view model doesn't call ``diagnose(_:)`` for it.
  public final func property<Value: Sendable & Equatable>(
    _ part: @escaping @Sendable (State) -> Value, set action: @escaping @Sendable (Value) -> Action
  ) -> MutableProperty<Value> {
    property(reading: { part($0.value) }, set: action)
  }

  final func property<Value: Sendable & Equatable>(
    reading part: @escaping @Sendable (Box<State>) -> Value, set action: @escaping @Sendable (Value) -> Action
  ) -> MutableProperty<Value> {
    property(of: field(reading: part), set: action)
  }

  final func field<Value: Sendable & Equatable>(
    reading part: @escaping @Sendable (Box<State>) -> Value
  ) -> StateField<Value> {
    let values = WrittenValues(part(engine.currentState))
    let sink = Sink<Box<State>>(each: { values.stateHasChanged(to: part($0)) }, end: { _ in values.complete() })
    let subscription = engine.stream.connect(sink)
    let feed = AtRelease { subscription.dispose() }
    let read: @Sendable (Value?) -> Value = { [engine] written in
      withExtendedLifetime(feed) {
        if !engine.isOver, let written { return written }
        return if let state = engine.lastState { part(state) } else { values.part }
      }
    }
    let changes = values.changes { [engine] in engine.stateDeliveredHere.map(part) }.fed(by: feed)
      .distinctUntilChanged()
    return (values, read, Property(read: { read(values.written) }, changes: changes))
  }

  final func property<Value: Sendable & Equatable>(
    of field: StateField<Value>, set action: @escaping @Sendable (Value) -> Action
  ) -> MutableProperty<Value> {
    let values = field.values
    let write: @Sendable (RxViewModel, Value) -> WrittenValues<Value>.Write = { viewModel, value in
      let run = ActionRun<Action, State>(action(value), watcher: values)
      return WrittenValues.Write(value: value, run: ObjectIdentifier(run)) {
        let turn = viewModel.engine.inbox.withLock { $0.accept(run) }
        if case .refused = turn { return nil }
        return { viewModel.engine.scheduleIfNeeded(turn) }
      }
    }
    return MutableProperty(
      readOnly: field.property,
      write: { [weak self] value in if let self { _ = values.write(write(self, value)) } },
      modify: { [weak self] change in
        while true {
          let (written, number) = values.beginUpdate()
          var value = field.read(written)
          let writes = change(&value)
          values.withSubject { $0.endUpdate() }
          guard writes, let self else { return }
          if values.write(write(self, value), after: number) { return }
        }
      })
  }
}

/// A part of a state that several properties show. Each writes it with an action of its own.
typealias StateField<Value: Sendable & Equatable> = (
  values: WrittenValues<Value>,
  /// Reads the part, or what has been written.
  read: @Sendable (Value?) -> Value,
  property: Property<Value>
)

extension WrittenValues: ActionWatcher {}
