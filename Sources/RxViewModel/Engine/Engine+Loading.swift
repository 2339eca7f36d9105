// `isLoadingObservable(where:)`.

extension Engine {
  /// Whether a started action that matches is unfinished: the value at the time of the subscription, then each change.
  ///
  /// The changes wait until the predicate has been called for the running actions. The version tells which of the changes the initial value
  /// already includes.
  @usableFromInline
  func loading(where matches: @escaping @Sendable (Action) -> Bool) -> Observable<Bool> {
    // Lifted, so that nothing follows a dispose inside the predicate.
    .lifting(loadingChanges(where: matches)) { $0 }
  }

  private func loadingChanges(where matches: @escaping @Sendable (Action) -> Bool) -> Observable<Bool> {
    Observable { [self] sink in
      let matching = SubscriptionState<(ids: Set<UInt64>, version: UInt64)>(([], 0))
      let serializer = EventSerializer<Event<ActivityChange>>(isBusy: true) { event in
        forward(matching.changed(by: event, matches), to: sink)
      }
      let subscriptions = CompositeDisposable(closing: serializer)
      let activity = core(\.activity, observesActions: true) { _ in SubjectCore() }
      subscriptions.connect(Observable { activity.connect($0) }, to: serializer) { $0 }
      let (actions, version, isClosed) = actionsAtWork()
      if !isClosed {
        matching.value = (Set(actions.filter { matches($0.action) }.map(\.id)), version)
        subscriptions.dispose(unlessWanted: sink(.next(!matching.value.ids.isEmpty)))
      }
      subscriptions.dispose(unlessWanted: serializer.run())
      return subscriptions
    }
  }

  private func actionsAtWork() -> (actions: [(id: UInt64, action: Action)], version: UInt64, isClosed: Bool) {
    outputs.withLock { outputs in
      let actions = outputs.all.filter(\.isLoading).map { (id: $0.id, action: $0.action) }
      return (actions, outputs.streams.activityVersion, outputs.gate == .closed)
    }
  }
}

extension SubscriptionState {
  fileprivate func changed<Action: Sendable>(
    by event: Event<Activity<Action>>, _ matches: (Action) -> Bool
  ) -> Event<Bool>? where Value == (ids: Set<UInt64>, version: UInt64) {
    switch event {
    case .next(let activity):
      if activity.version <= value.version { return nil }
      let wasLoading = !value.ids.isEmpty
      switch activity.change {
      case .started(let id, let action): if matches(action) { value.ids.insert(id) }
      case .finished(let id): value.ids.remove(id)
      case .end: value.ids = []
      }
      let isLoading = !value.ids.isEmpty
      return isLoading == wasLoading ? nil : .next(isLoading)
    case .error(let error):
      return .error(error)
    case .completed:
      return .completed
    }
  }
}
