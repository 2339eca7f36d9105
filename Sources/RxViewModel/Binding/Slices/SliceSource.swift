/// What a slice is made of: a view model, or another slice. As this protocol, it hides the types of the levels above.
@usableFromInline
protocol SliceSource<Action, State>: AnyObject, Sendable {
  associatedtype Action: Sendable
  associatedtype State: Sendable
  associatedtype RootAction: Sendable
  associatedtype Root: Sendable

  var viewModel: RxViewModel<RootAction, Root> { get }
  /// The ids of the parts from the view model to this one.
  var way: [PartID] { get }
  /// Makes the view model's action, without retaining the view model.
  var embed: @Sendable (Action) -> RootAction { get }
  /// Reads the part, without retaining the view model. Nil while the part is absent.
  var find: @Sendable (Root) -> State? { get }
  /// Remembers the part of a state, and returns it. If it is absent, returns the last one.
  func show(_ part: State?, in number: UInt64) -> NumberedPart<State>
  /// The node of the part in what SwiftUI reads.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor var node: ObservedPart<State> { get }
}

extension RxViewModel: SliceSource {
  @usableFromInline
  final var viewModel: RxViewModel { self }
  @usableFromInline
  final var way: [PartID] { [] }
  @usableFromInline
  final var embed: @Sendable (Action) -> Action { { $0 } }
  @usableFromInline
  final var find: @Sendable (State) -> State? { { $0 } }
  @usableFromInline
  final func show(_ part: State?, in number: UInt64) -> NumberedPart<State> { (part!, number) }
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @usableFromInline
  @MainActor final var node: ObservedPart<State> { observed.root }
}

/// A part of a view model or of a slice, with the actions for it. Retains the view model.
final class SliceOf<Outer: SliceSource, Action: Sendable, State: Sendable>: LastPart<State>, SliceSource,
  @unchecked Sendable  // Sendable: as its superclass. The rest is constant.
{
  private let outer: Outer
  private let inner: Part<Outer.State, State>
  private let action: @Sendable (Action) -> Outer.Action

  init(
    _ outer: Outer, _ part: Part<Outer.State, State>, _ first: NumberedPart<State>,
    _ action: @escaping @Sendable (Action) -> Outer.Action
  ) {
    (self.outer, inner, self.action) = (outer, part, action)
    super.init(first)
  }

  var viewModel: RxViewModel<Outer.RootAction, Outer.Root> { outer.viewModel }
  var way: [PartID] { outer.way + [inner.id] }
  var embed: @Sendable (Action) -> Outer.RootAction { { [outer = outer.embed, action] in outer(action($0)) } }
  var find: @Sendable (Outer.Root) -> State? { { [outer = outer.find, inner] in outer($0).flatMap(inner.child) } }
  func show(_ part: State?, in number: UInt64) -> NumberedPart<State> { show(part, in: number, viewModel.engine) }
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  var node: ObservedPart<State> { outer.node.part(inner) }
}

/// A part and the number of its state.
@usableFromInline typealias NumberedPart<Part> = (part: Part, number: UInt64)

/// Remembers the part of the newest state that was read and that has the part. Two threads may read states in any order.
class LastPart<Part: Sendable>: @unchecked Sendable {  // Sendable: the lock of the engine guards the variable.
  @exclusivity(unchecked) private var last: NumberedPart<Part>

  init(_ first: NumberedPart<Part>) { last = first }

  /// Remembers the part of a state, and returns it. If it is absent, returns the last one.
  func show<A, S>(_ part: Part?, in number: UInt64, _ engine: Engine<A, S>) -> NumberedPart<Part> {
    guard let part else { return engine.shared.withLock { _ in last } }
    // The part before is released without the lock.
    var other = (part: part, number: number)
    engine.shared.withLock { _ in if number >= last.number { swap(&other, &last) } }
    return (part, number)
  }
}

extension SliceSource {
  var key: [AnyHashable] { [AnyHashable(ObjectIdentifier(viewModel))] + way.map { AnyHashable($0) } }
  var last: NumberedPart<State> {
    let state = viewModel.engine.currentState
    return show(find(state.value), in: state.number)
  }

  var states: Observable<State> {
    // The part to begin with, if it is absent in the first state.
    .lifting(viewModel.stateObservable, Optional(last.part)) { [find] first, root, sink in
      let seen = find(root) ?? first
      first = nil
      return seen.map(sink.next) ?? .more
    }
  }

  /// Reads parts without retaining the view model, because the properties of a slice don't retain it.
  private var reader: @Sendable (Box<Root>) -> State {
    let last = LastPart(last)
    return { [find, engine = viewModel.engine] in last.show(find($0.value), in: $0.number, engine).part }
  }

  func execute(_ action: Action, mode: ExecutionMode?) {
    if let mode { viewModel.execute(embed(action), mode: mode) } else { viewModel.execute(embed(action)) }
  }

  func perform(_ action: Action) async throws -> State {
    let state = try await viewModel.engine.perform(embed(action), mode: nil, for: viewModel)
    return show(find(state.value), in: state.number).part
  }

  func property<Value: Sendable & Equatable>(of read: @escaping @Sendable (State) -> Value) -> Property<Value> {
    viewModel.property(reading: { [reader] in read(reader($0)) })
  }

  func property<Value: Sendable & Equatable>(
    of read: @escaping @Sendable (State) -> Value, set: @escaping @Sendable (Value) -> Action
  ) -> MutableProperty<Value> {
    viewModel.property(reading: { [reader] in read(reader($0)) }, set: { [embed] in embed(set($0)) })
  }

  /// A slice of this one. Nil if its part is absent.
  @usableFromInline
  func slice<Inner: Sendable, InnerAction: Sendable>(
    of part: Part<State, Inner>, isAlwaysThere: Bool, _ action: @escaping @Sendable (InnerAction) -> Action
  ) -> ViewModelSlice<InnerAction, Inner>? {
    // A part that is always in its parent is read from the last parent.
    let outer = isAlwaysThere ? last : nil
    let first = outer.map { (part.child(in: $0.part)!, $0.number) } ?? present(part)
    return first.map { ViewModelSlice(source: SliceOf(self, part, $0, action)) }
  }

  /// The part in the most recent state. On the main actor, the view that asks for it is updated when the part appears or is removed.
  private func present<Inner: Sendable>(_ part: Part<State, Inner>) -> NumberedPart<Inner>? {
    if MainQueue.isCurrent, #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) {
      nonisolated(unsafe) var shown: NumberedPart<Inner>??
      MainActor.assumeIsolated {
        let inner = node.part(part)
        inner.observePresence()
        let state = viewModel.observed.current
        if state === viewModel.engine.currentState { shown = .some(inner.current.map { ($0, state.number) }) }
      }
      if let shown { return shown }
    }
    // Read after the mirror: an older state could lack a part whose appearance the view has missed.
    let state = viewModel.engine.currentState
    return find(state.value).flatMap(part.child).map { ($0, state.number) }
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
extension SliceSource {
  func observe<Value>(_ member: KeyPath<State, Value>, _ hasChanged: @escaping (Value, Value) -> Bool) -> Value {
    let node = node
    node.observe(member, hasChanged)
    return show(node.current, in: viewModel.observed.current.number).part[keyPath: member]
  }

  var activityOfPart: ObservedActivity<Action> {
    node.activity { [engine = viewModel.engine, way, find] in
      let loading = engine.loading(isForSpinner: true) { [engine] run in
        run.showsSpinner && engine.child(of: run)?.child(at: way) != nil
      }
      return ObservedActivity(of: engine, loading: loading) { failure in
        guard let child = failure.retrying?.instance?.child(at: way), let state = engine.lastState,
          find(state.value) != nil, engine.shared.withLock({ _ in !child.isOver })
        else { return nil }
        return ActionAndError(action: nil, error: failure.error, retrying: failure.retrying)
      }
    }
  }

  func observedProperty<Value: Sendable & Equatable>(
    of member: KeyPath<State, Value> & Sendable, set: @escaping @Sendable (Value) -> Action
  ) -> ObservedProperty<Value> {
    viewModel.observedProperty(
      key + [member as AnyKeyPath, ObjectIdentifier(Value.self)], { [reader] in reader($0)[keyPath: member] },
      set: { [embed] in embed(set($0)) })
  }
}

extension ChildInstance {
  /// The child that `way` leads to, if it is this one or one that contains this one.
  fileprivate func child(at way: [PartID]) -> ChildInstance? {
    let children = Array(self.way.filter { $0.place != nil }.reversed())
    return children.lazy.compactMap(\.part).starts(with: way) ? children[way.count - 1] : nil
  }
}
