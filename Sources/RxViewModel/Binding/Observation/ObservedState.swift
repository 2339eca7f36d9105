#if canImport(Observation)
  import Observation

  /// Mirrors a view model's state for SwiftUI, and for other clients of the Observation framework.
  ///
  ///     struct LoginView: View {
  ///       let viewModel: LoginViewModel
  ///
  ///       var body: some View { Text(viewModel.observed.username) }
  ///     }
  ///
  /// Observation notifies a view that has read `observed.username` when the username changes, and not when only the password does. A
  /// property that is not `Equatable` counts as changed by each state. States reach the views on the main actor, in order; a state that is
  /// emitted on the main actor reaches them at once if no earlier one waits. When the view model's streams complete, this object keeps the
  /// last state. It does not keep the view model alive.
  ///
  /// A change costs O(n) for n properties that views observe. For rows that views read through slices (``ViewModelSlice``) it costs one
  /// comparison of the two arrays, and O(m) for the m rows that differ. A property that no view observes any more costs nothing.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor
  @dynamicMemberLookup
  public final class ObservedState<State: Sendable>: Observation.Observable {
    private let registrar = ObservationRegistrar()
    private let subscription = SerialDisposable()
    private var current: Box<State>
    /// The properties that views observe.
    private var members = ObservedMembers<State>()
    /// Those of rows.
    private let lists = RowLists<State>()
    /// The properties that views have read since a change has been announced. Nil at other times.
    private var readEarly: [Place]?

    private typealias Place = KeyPath<ObservedState, Void>

    /// Makes an object that mirrors the state of `viewModel` from now on.
    public init<Action>(_ viewModel: RxViewModel<Action, State>) {
      current = viewModel.engine.currentState
      subscription.replace(with: viewModel.engine.boxes.bind { [weak self] state in self?.update(to: state) })
    }

    deinit {
      subscription.dispose()
    }

    /// The whole state. Each new state counts as a change.
    public var state: State {
      track(\.self) { _, _ in true }
      return current.value
    }

    /// A property of the state. Observation notifies a view that has read it when it changes.
    public subscript<Value: Equatable>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
      track(keyPath) { $0[keyPath: keyPath] != $1[keyPath: keyPath] }
      return current.value[keyPath: keyPath]
    }

    /// A property that is not `Equatable`. Observation notifies a view that has read it of each state.
    @_disfavoredOverload
    public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
      track(keyPath) { _, _ in true }
      return current.value[keyPath: keyPath]
    }

    /// The state, for a reader that is not to be notified.
    var untracked: Box<State> { current }

    private func track(_ keyPath: PartialKeyPath<State>, _ hasChanged: @escaping (State, State) -> Bool) {
      track(AnyHashable(keyPath), hasChanged)
    }

    private func track(_ key: AnyHashable, _ hasChanged: @escaping (State, State) -> Bool) {
      let entry = members.entry(key, hasChanged) { [weak self] in
        // Another entry may have taken the place of one that was released on another thread.
        if self?.members[key] == nil { self?.members.remove(key) }
      }
      access(entry)
    }

    /// Tracks a member of a slice, and returns the part in the state. Nil, for the part that has none, counts as another value.
    ///
    /// - Parameter member: Nil for the presence of the part.
    func track<Part>(
      _ path: any SlicePath<State, Part>, _ member: PartialKeyPath<Part>?, in state: State,
      _ hasChanged: @escaping (Part?, Part?) -> Bool
    ) -> Part? {
      let key = member.map { AnyHashable($0) } ?? AnyHashable(true)
      if let row = path.row(in: lists, below: [], { $0 }) {
        access(row.entry([key], hasChanged))
        return row.part(state)
      }
      let whole = member.flatMap { member in
        (path.whole as PartialKeyPath<State>?)?.appending(path: member as AnyKeyPath)
      }
      track(whole.map { AnyHashable($0) } ?? AnyHashable([path.key, key])) {
        hasChanged(path.part(of: $0), path.part(of: $1))
      }
      return path.part(of: state)
    }

    /// Lets the view that is reading something retain an object as long as it observes what it reads.
    func retain(_ object: AnyObject) {
      access(ObservedEntry { withExtendedLifetime(object) {} })
    }

    private func access(_ entry: ObservedEntry) {
      let keyPath = entry.keyPath as? Place ?? \ObservedState.[reading: entry]
      entry.keyPath = keyPath
      registrar.access(self, keyPath: keyPath)
      readEarly?.append(keyPath)
    }

    // The registrar identifies the property by this key path of the object.
    private subscript(reading entry: ObservedEntry) -> Void { () }

    private func update(to new: Box<State>) {
      lists.removeUnused()
      defer { lists.removeUnused() }
      let entries =
        members.all.filter { $0.hasChanged(current.value, new.value) } + lists.changed(current.value, new.value)
      let changed = entries.compactMap { $0.keyPath as? Place }
      if changed.isEmpty { return set(new) }
      readEarly = []
      for place in changed { registrar.willSet(self, keyPath: place) }
      set(new)
      // A view that has read a property since the announcement has read the old value. Another notification makes it read again.
      let outdated = readEarly.take() ?? []
      for place in changed { registrar.didSet(self, keyPath: place) }
      for place in outdated {
        registrar.willSet(self, keyPath: place)
        registrar.didSet(self, keyPath: place)
      }
    }

    private func set(_ new: Box<State>) {
      // The old state is released after the access to `current` has ended.
      var last = new
      swap(&last, &current)
    }
  }
#endif
