extension RxViewModel {
  /// The part in the state folded last. Lets Observation notify the view that asks for it when the part comes or goes, unless the caller is
  /// off the main actor, or no view is tracked.
  final func presentPart<Part: Sendable>(at path: some SlicePath<State, Part>) -> LastPart<Part>? {
    #if canImport(Observation)
      if path.whole == nil, MainQueue.isCurrent, #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) {
        return MainActor.assumeIsolated {
          if mirrors == nil, !TrackingProbe.isTracking { return lastPart(at: path) }
          // A mirror that is made here has no newer state.
          let observed = observed
          let state = engine.currentState
          let part = observed.track(path, nil, in: state.value) { ($0 == nil) != ($1 == nil) }
          return part.map { LastPart(part: $0, number: state.number) }
        }
      }
    #endif
    return lastPart(at: path)
  }

  private func lastPart<Part: Sendable>(at path: some SlicePath<State, Part>) -> LastPart<Part>? {
    let state = engine.currentState
    return path.part(of: state.value).map { LastPart(part: $0, number: state.number) }
  }
}

#if canImport(Observation)
  import Observation

  /// The state of a ``ViewModelSlice`` for SwiftUI, read through the one ``ObservedState`` of its view model.
  ///
  /// Observation notifies a view that has read `form.observed.name` when the name changes. If the child is absent, a property has the value
  /// of the last child.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor
  @dynamicMemberLookup
  public struct ObservedSlice<Action: Sendable, State: Sendable> {
    fileprivate let source: any SliceSource<Action, State>

    /// The whole child. Each new state of the view model counts as a change; for a row, each one in which its bytes differ.
    public var state: State { source.observe(\.self) { _, _ in true } }

    /// A property of the child. Observation notifies a view that has read it when it changes.
    public subscript<Value: Equatable>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
      source.observe(keyPath) { $0 != $1 }
    }

    /// A property that is not `Equatable`. Observation notifies a view that has read it of each state.
    @_disfavoredOverload
    public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
      source.observe(keyPath) { _, _ in true }
    }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  extension ViewModelSlice {
    /// The child's state that a SwiftUI view reads, instead of ``ViewModelSlice/currentState``, which does not update the view.
    ///
    /// Otherwise like ``RxViewModel/RxViewModel/observed`` of a view model.
    @MainActor
    public var observed: ObservedSlice<Action, State> { ObservedSlice(source: source) }

    /// Whether an action of this child is loading, and its last failure, for SwiftUI.
    ///
    ///     if row.activity.isLoading { ProgressView() }
    ///
    /// An action is the child's if `child(for:)` names the place of the slice for it, or a place in it: the same key path, the same `case`,
    /// the same `id`, and a slice of a slice where a feature stands in a feature. While the child is absent nothing is loading and there is
    /// no failure. When the child goes, or another `id` takes its place, its failure goes too. The `action` of a failure is nil, because
    /// only the view model knows it; `retry()` executes it again. Otherwise like ``RxViewModel/RxViewModel/activity``.
    ///
    /// A slice over a key path that cannot be written, such as `\.destination?.form`, has no activity, because no child can be declared
    /// there: reading it is a programming mistake and is trapped.
    ///
    /// Views that read equal slices read one object. The views that observe it retain it, as it does itself while it shows a failure.
    @MainActor
    public var activity: ObservedActivity<Action> { source.activity }

    /// A part of the child that SwiftUI reads, and writes by executing an action, as
    /// ``RxViewModel/RxViewModel/observedProperty(_:set:)`` of a view model.
    @MainActor
    public func observedProperty<Value: Sendable & Equatable>(
      _ part: KeyPath<State, Value> & Sendable, set action: @escaping @Sendable (Value) -> Action
    ) -> ObservedProperty<Value> {
      source.observedProperty(part, set: action)
    }
  }

  /// Tells whether Observation is recording what a view reads, without the mirrors of a view model.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor
  private final class TrackingProbe: Observation.Observable {
    private static let probe = TrackingProbe()
    private let registrar = ObservationRegistrar()
    /// A key path that no record retains.
    private var keyPath: KeyPath<TrackingProbe, Void> = \.[0]

    private subscript(_: Int) -> Void { () }

    /// Whether the record retains a key path that is read.
    static var isTracking: Bool {
      probe.registrar.access(probe, keyPath: probe.keyPath)
      if isKnownUniquelyReferenced(&probe.keyPath) { return false }
      probe.keyPath = \.[0]
      return true
    }
  }
#endif
