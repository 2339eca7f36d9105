#if canImport(Observation)
  import Observation

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  extension RxViewModel {
    /// The streams of a child's activity. They do not retain the view model.
    @MainActor
    func activity<Part, ChildAction: Sendable>(
      of path: some SlicePath<State, Part>, for observers: any ActivityObservers
    ) -> ObservedActivity<ChildAction> {
      require(
        path.canHaveChild,
        "activity of a slice: no child of child(for:) can stand at a key path that cannot be written, such as "
          + "\\.destination?.form; name the case with slice(_:case:action:), or make a slice of a slice")
      let loading = engine.loading(isForSpinner: true) { [engine] run in
        run.showsSpinner && engine.child(of: run).flatMap { path.child(of: $0) } != nil
      }
      let failures = actionAndErrorObservable.compactMap { failure -> (ActionAndError<ChildAction>, ChildNode)? in
        guard let node = failure.retrying?.node, let child = path.child(of: node) else { return nil }
        return (ActionAndError(action: nil, error: failure.error, retrying: failure.retrying), child)
      }
      let states = stateObservable
      return ObservedActivity(
        loading: loading,
        failures: failures.flatMapLatest { [engine] (failure, child) -> Observable<ActionAndError<ChildAction>?> in
          // Sendable: the engine has got them from a `Sendable` state.
          nonisolated(unsafe) let ids = engine.lastState.flatMap { path.ids(in: $0.value, of: child) }
          let gone = states.filter { state in
            let now = path.ids(in: state, of: child)
            return now == nil || ids != nil && now != ids
          }.take(1)
          return gone.map { _ in nil }.startWith(failure)
        }, observers: observers)
    }
  }
#endif
