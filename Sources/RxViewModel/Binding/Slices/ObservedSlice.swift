extension RxViewModel {
  /// Lets Observation notify the view that is asking for a child when the child comes or goes. Does nothing off the main actor.
  final func observePresence<Part>(of path: SlicePath<State, Part>) {
    #if canImport(Observation)
      guard case .optional(let path) = path, MainQueue.isCurrent else { return }
      if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) {
        nonisolated(unsafe) let presence = path.appending(path: \.presence)
        MainActor.assumeIsolated { _ = observed[dynamicMember: presence] }
      }
    #endif
  }
}

extension Optional {
  /// Optional, because a key path whose optional chain meets nil reads nil, whatever is appended to it.
  fileprivate var presence: Bool? { self == nil ? nil : true }
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

    /// The whole child. Each new state of the view model counts as a change.
    public var state: State { source.observeEachState(\.self) }

    /// A property of the child. Observation notifies a view that has read it when it changes.
    public subscript<Value: Equatable>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
      source.observe(keyPath)
    }

    /// A property that is not `Equatable`. Observation notifies a view that has read it of each state.
    @_disfavoredOverload
    public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
      source.observeEachState(keyPath)
    }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  extension ViewModelSlice {
    /// The child's state for SwiftUI, as ``RxViewModel/RxViewModel/observed`` of a view model.
    @MainActor
    public var observed: ObservedSlice<Action, State> { ObservedSlice(source: source) }

    /// A part of the child that SwiftUI reads, and writes by executing an action, as
    /// ``RxViewModel/RxViewModel/observedProperty(_:set:)`` of a view model.
    @MainActor
    public func observedProperty<Value: Sendable & Equatable>(
      _ part: KeyPath<State, Value> & Sendable, set action: @escaping @Sendable (Value) -> Action
    ) -> ObservedProperty<Value> {
      source.observedProperty(part, set: action)
    }
  }
#endif
