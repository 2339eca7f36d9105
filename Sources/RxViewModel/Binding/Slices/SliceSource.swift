/// The way from the state of a view model to a part.
struct SlicePath<Root: Sendable, State: Sendable>: Sendable {
  let way: [Step]
  /// Reads the part. Nil while it is absent.
  let read: @Sendable (Root) -> State?
  /// The part in the mirror.
  let node: @MainActor @Sendable (ObservedPart<Root>) -> ObservedPart<State>

  static func to(_ part: Part<Root, State>) -> SlicePath {
    SlicePath(way: [part.step], read: { part.child(in: $0) }, node: { $0.part(part) })
  }

  func appending<Inner>(_ part: Part<State, Inner>) -> SlicePath<Root, Inner> {
    SlicePath<Root, Inner>(
      way: way + [part.step], read: { [read] in read($0).flatMap { part.child(in: $0) } },
      node: { [node] in node($0).part(part) })
  }
}

/// The part in the newest state that was read and has it. Two threads may read states in any order.
struct LastPart<Part: Sendable>: Sendable {
  var part: Part
  /// The number of its state.
  var number: UInt64
}

extension Lock {
  /// Remembers the part of a state, and returns it, or the last one if it is absent.
  func show<Part>(_ part: Part?, in number: UInt64) -> Part where Value == LastPart<Part> {
    guard let part else { return withLock { $0.part } }
    var new = LastPart(part: part, number: number)
    // The part before is released without the lock.
    withLock { if number >= $0.number { swap(&new, &$0) } }
    return part
  }
}

/// A slice without the types of its view model.
protocol SliceSource<Action, State>: AnyObject, Sendable {
  associatedtype Action: Sendable
  associatedtype State: Sendable

  var key: [AnyHashable] { get }
  /// The part, or the last one that was read if it is absent.
  var state: State { get }
  var states: Observable<State> { get }
  func execute(_ action: Action, mode: ExecutionMode?)
  func perform(_ action: Action) async throws -> State
  func property<Value: Sendable & Equatable>(_ read: @escaping @Sendable (State) -> Value) -> Property<Value>
  func property<Value: Sendable & Equatable>(
    _ read: @escaping @Sendable (State) -> Value, set: @escaping @Sendable (Value) -> Action
  ) -> MutableProperty<Value>
  /// A slice of this one. Nil if its part is absent.
  func slice<InnerAction: Sendable, Inner: Sendable>(
    _ part: Part<State, Inner>, isAlwaysThere: Bool, _ action: @escaping @Sendable (InnerAction) -> Action
  ) -> ViewModelSlice<InnerAction, Inner>?

  #if canImport(Observation)
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor func observe<Value>(_ member: KeyPath<State, Value>, _ hasChanged: @escaping (Value, Value) -> Bool)
      -> Value
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor var activity: ObservedActivity<Action> { get }
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor func observedProperty<Value: Sendable & Equatable>(
      _ member: KeyPath<State, Value> & Sendable, set: @escaping @Sendable (Value) -> Action
    ) -> ObservedProperty<Value>
  #endif
}

/// The part of a view model's state that a path leads to, with the actions for it. Retains the view model.
final class SliceOf<RootAction: Sendable, Root: Sendable, Action: Sendable, State: Sendable>: SliceSource {
  private let viewModel: RxViewModel<RootAction, Root>
  private let path: SlicePath<Root, State>
  private let action: @Sendable (Action) -> RootAction
  private let last: Lock<LastPart<State>>

  init(
    _ viewModel: RxViewModel<RootAction, Root>, _ path: SlicePath<Root, State>, _ first: LastPart<State>,
    _ action: @escaping @Sendable (Action) -> RootAction
  ) {
    (self.viewModel, self.path, self.action, last) = (viewModel, path, action, Lock(first))
  }

  var key: [AnyHashable] { [AnyHashable(ObjectIdentifier(viewModel))] + path.way.map { AnyHashable($0) } }
  var state: State { show(in: viewModel.engine.currentState) }

  private func show(in state: Box<Root>) -> State { last.show(path.read(state.value), in: state.number) }

  var states: Observable<State> {
    // The part to begin with, if it is absent in the first state.
    .lifting(viewModel.stateObservable, Optional(state)) { [read = path.read] first, root, sink in
      let seen = read(root) ?? first
      first = nil
      return seen.map(sink.next) ?? .more
    }
  }

  /// Reads parts without the view model, which the properties of a slice do not retain.
  private func reader() -> @Sendable (Box<Root>) -> State {
    _ = state
    let (last, read) = (Lock(last.withLock { $0 }), path.read)
    return { last.show(read($0.value), in: $0.number) }
  }

  func execute(_ action: Action, mode: ExecutionMode?) {
    let action = self.action(action)
    if let mode { viewModel.execute(action, mode: mode) } else { viewModel.execute(action) }
  }

  func perform(_ action: Action) async throws -> State {
    show(in: try await viewModel.engine.perform(self.action(action), mode: nil, for: viewModel))
  }

  func property<Value: Sendable & Equatable>(_ read: @escaping @Sendable (State) -> Value) -> Property<Value> {
    let reader = reader()
    return viewModel.property(reading: { read(reader($0)) })
  }

  func property<Value: Sendable & Equatable>(
    _ read: @escaping @Sendable (State) -> Value, set: @escaping @Sendable (Value) -> Action
  ) -> MutableProperty<Value> {
    let (reader, action) = (reader(), action)
    return viewModel.property(reading: { read(reader($0)) }, set: { action(set($0)) })
  }

  func slice<InnerAction: Sendable, Inner: Sendable>(
    _ part: Part<State, Inner>, isAlwaysThere: Bool, _ action: @escaping @Sendable (InnerAction) -> Action
  ) -> ViewModelSlice<InnerAction, Inner>? {
    // A part that its parent always has is there with the last parent.
    if isAlwaysThere { _ = state }
    let last = isAlwaysThere ? last.withLock { $0 } : nil
    let first = last.flatMap { last in part.child(in: last.part).map { LastPart(part: $0, number: last.number) } }
    let outer = self.action
    return viewModel.slice(path.appending(part), first) { outer(action($0)) }
  }

  #if canImport(Observation)
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    private var node: ObservedPart<State> { @MainActor get { path.node(viewModel.observed.root) } }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    func observe<Value>(_ member: KeyPath<State, Value>, _ hasChanged: @escaping (Value, Value) -> Bool) -> Value {
      let node = node
      node.observe(member, hasChanged)
      return last.show(node.current, in: viewModel.observed.current.number)[keyPath: member]
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    var activity: ObservedActivity<Action> {
      node.activity { [engine = viewModel.engine, path] in
        let loading = engine.loading(isForSpinner: true) { [engine] run in
          run.showsSpinner && engine.child(of: run)?.child(at: path.way) != nil
        }
        return ObservedActivity(of: engine, loading: loading) { failure, isEarlier in
          guard let child = failure.retrying?.instance?.child(at: path.way), let state = engine.lastState,
            let part = path.read(state.value), !isEarlier || child.canBe(part)
          else { return nil }
          return ActionAndError(action: nil, error: failure.error, retrying: failure.retrying)
        }
      }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    func observedProperty<Value: Sendable & Equatable>(
      _ member: KeyPath<State, Value> & Sendable, set: @escaping @Sendable (Value) -> Action
    ) -> ObservedProperty<Value> {
      let (reader, action) = (reader(), action)
      return viewModel.observedProperty(
        key + [member as AnyKeyPath, ObjectIdentifier(Value.self)], { reader($0)[keyPath: member] },
        set: { action(set($0)) })
    }
  #endif
}

extension ChildInstance {
  /// The child that the way from the view model leads to, if it is this one or one that this one stands in.
  fileprivate func child(at way: [Step]) -> ChildInstance? {
    let children = self.way.filter { $0.place != nil }.reversed()
    return children.lazy.compactMap(\.step).starts(with: way) ? Array(children)[way.count - 1] : nil
  }

  /// Whether a state may be the child's: it has no other id.
  fileprivate func canBe(_ state: Any) -> Bool {
    guard let identity, let id = (state as? any Identifiable)?.anyID else { return true }
    return type(of: identity.base) != type(of: id.base) || identity == id
  }
}
