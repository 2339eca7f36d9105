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
          let instance = SliceInstance(child, engine.lastState.flatMap { path.part(of: $0.value) })
          let gone = states.filter { !instance.isPresent(as: path.part(of: $0)) }.take(1)
          return gone.map { _ in nil }.startWith(failure)
        }, observers: observers)
    }
  }

  /// The instance of a child whose failure a view shows.
  private struct SliceInstance: Sendable {
    /// The `id` of its state, if the feature tells its instances apart.
    // Sendable: the engine has got it from a `Sendable` state.
    nonisolated(unsafe) private let id: AnyHashable?

    /// - Parameter part: The state of the child, if it is present.
    init<Part>(_ child: ChildNode, _ part: Part?) {
      id = child.identity == nil ? nil : part.flatMap { Self.id(of: $0) }
    }

    func isPresent<Part>(as part: Part?) -> Bool {
      guard let part else { return false }
      return id == nil || Self.id(of: part) == id
    }

    private static func id<Part>(of part: Part) -> AnyHashable? {
      (part as? any Identifiable).map { id(of: $0) }
    }

    private static func id(of part: some Identifiable) -> AnyHashable { AnyHashable(part.id) }
  }
#endif
