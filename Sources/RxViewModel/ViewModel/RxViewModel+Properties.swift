extension RxViewModel {
  /// Returns a property that reads and observes a part of the state.
  ///
  /// The property calls `part` with each state on the scheduler, and with the current state at each read. It completes with the view
  /// model's streams, and keeps the last value. It does not keep the view model alive. While it is in use, it costs one call of `part` per
  /// state.
  public final func property<Value: Sendable & Equatable>(
    _ part: @escaping @Sendable (State) -> Value
  ) -> Property<Value> {
    let fed = Property(
      initial: part(currentState), then: stateObservable.map { (state: State) -> Value in part(state) })
    return Property(
      read: { [engine] in if let state = engine.lastState { part(state) } else { fed.value } },
      changes: fed.changes)
  }

  /// Returns a property that reads a part of the state, and writes it by executing an action.
  ///
  ///     let name = viewModel.property(\.username, set: LoginAction.setUsername)
  ///     name.value = "admin"  // executes .setUsername("admin"); name.value is "admin" from here on
  ///
  /// Several threads may write: the view model executes their actions in the order of the writes. While an action that the property has
  /// executed is unfinished, the value is the one written last. When all of them have ended, whatever their outcome, the value is the
  /// state's again. So a subscriber never sees a late echo of an older edit, but sees the view model's correction of an edit.
  ///
  /// The property calls `action` on the writing thread, and `part` like ``property(_:)``. It does not keep the view model alive. At
  /// ``clear()``, and at the release of the view model, its value is the state's again, and it completes. A later write does nothing, and
  /// the view model does not call ``diagnose(_:)`` for it.
  public final func property<Value: Sendable & Equatable>(
    _ part: @escaping @Sendable (State) -> Value, set action: @escaping @Sendable (Value) -> Action
  ) -> MutableProperty<Value> {
    let values = OptimisticValues(part(currentState))
    let feed = PropertyFeed(
      stateObservable.asObservable().connect { event in
        if case .next(let state) = event { values.stateHasChanged(to: part(state)) } else { values.complete() }
        return event.isTerminal ? .noMore : .more
      })
    let read: @Sendable (Value?) -> Value = { [engine] written in
      withExtendedLifetime(feed) {
        if !engine.isOver, let written { return written }
        return if let state = engine.lastState { part(state) } else { values.part }
      }
    }
    let write: @Sendable (RxViewModel, Value, UInt64?) -> Bool = { viewModel, value, lastWrite in
      let run = ActionRun<Action, State>(action(value), isAwaited: true)
      run.watcher = values
      var acceptance = Inbox<Action, State>.Acceptance.refused
      return values.write(value, after: lastWrite) {
        acceptance = viewModel.engine.inbox.withLock { $0.accept(run) }
        return acceptance != .refused
      } schedule: {
        _ = viewModel.engine.isAccepted(acceptance, for: viewModel)
      }
    }
    return MutableProperty(
      readOnly: Property(
        read: { read(values.written) }, changes: feed.keptAlive(by: values.stream).distinctUntilChanged()),
      write: { [weak self] value in
        if let self { _ = write(self, value, nil) }
      },
      modify: { [weak self] change in
        retry(
          change,
          begin: {
            let (written, lastWrite) = values.beginUpdate()
            return (read(written), lastWrite)
          },
          end: { value, lastWrite in
            if let self, let value { return write(self, value, lastWrite) }
            values.endUpdate()
            return true
          })
      })
  }
}

extension OptimisticValues: ActionWatcher {
  func actionHasEnded(_ run: AnyObject) {
    actionHasEnded()
  }
}
