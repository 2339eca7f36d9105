extension RxViewModel {
  /// Lets Observation notify the view that is asking for a child when the child comes or goes. Does nothing off the main actor, nor if no
  /// view is tracked.
  final func observePresence<Part>(of path: some SlicePath<State, Part>) {
    #if canImport(Observation)
      guard path.whole == nil, MainQueue.isCurrent else { return }
      if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) {
        MainActor.assumeIsolated {
          if mirrors == nil, !TrackingProbe.isTracking { return }
          observed.track(path, nil) { ($0 == nil) != ($1 == nil) }
        }
      }
    #endif
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
    /// The child's state for SwiftUI, as ``RxViewModel/RxViewModel/observed`` of a view model.
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
    private final class Token: Hashable {
      static func == (left: Token, right: Token) -> Bool { left === right }
      func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    private static let probe = TrackingProbe()
    private let registrar = ObservationRegistrar()

    private subscript(token: Token) -> Void { () }

    /// Whether the record retains a key path that is read.
    static var isTracking: Bool {
      weak var token: Token?
      do {
        let fresh = Token()
        token = fresh
        probe.registrar.access(probe, keyPath: \.[fresh])
      }
      return token != nil
    }
  }
#endif
