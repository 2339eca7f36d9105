/// A slice without the types of its view model.
protocol SliceSource<Action, Part>: Sendable {
  associatedtype Action: Sendable
  associatedtype Part: Sendable

  /// The part, or the last one that was read if it is absent.
  var part: Part { get }
  var parts: Observable<Part> { get }
  func execute(_ action: Action, mode: ExecutionMode?)
  func perform(_ action: Action) async throws -> Part
  func property<Value: Sendable & Equatable>(_ read: @escaping @Sendable (Part) -> Value) -> Property<Value>
  func property<Value: Sendable & Equatable>(
    _ read: @escaping @Sendable (Part) -> Value, set: @escaping @Sendable (Value) -> Action
  ) -> MutableProperty<Value>
  /// A slice of this one. Nil if its part is absent.
  func slice<InnerAction: Sendable, Inner: Sendable>(
    _ inner: some SlicePath<Part, Inner>, action: @escaping @Sendable (InnerAction) -> Action
  ) -> ViewModelSlice<InnerAction, Inner>?
  func isEqual(to other: any SliceSource) -> Bool
  func hash(into hasher: inout Hasher)

  #if canImport(Observation)
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor func observe<Value>(_ member: KeyPath<Part, Value>, _ hasChanged: @escaping (Value, Value) -> Bool)
      -> Value
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor var activity: ObservedActivity<Action> { get }
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor func observedProperty<Value: Sendable & Equatable>(
      _ member: KeyPath<Part, Value> & Sendable, set: @escaping @Sendable (Value) -> Action
    ) -> ObservedProperty<Value>
  #endif
}

/// The part of a view model's state that a path leads to, with the actions for it. Retains the view model.
struct ViewModelPart<RootAction: Sendable, Root: Sendable, Action: Sendable, Part: Sendable>: SliceSource {
  /// One object for all: a slice is made for each row and body.
  private struct Content {
    let viewModel: RxViewModel<RootAction, Root>
    let path: any SlicePath<Root, Part>
    let action: @Sendable (Action) -> RootAction
    /// The part that the slice began with, or the one read last.
    var last: Part
  }

  private let content: Lock<Content>

  /// - Parameter part: The part that the slice begins with.
  init(
    of viewModel: RxViewModel<RootAction, Root>, _ path: any SlicePath<Root, Part>, _ part: Part,
    _ action: @escaping @Sendable (Action) -> RootAction
  ) {
    content = Lock(Content(viewModel: viewModel, path: path, action: action, last: part))
  }

  var viewModel: RxViewModel<RootAction, Root> { content.withLock { $0.viewModel } }
  var path: any SlicePath<Root, Part> { content.withLock { $0.path } }
  var action: @Sendable (Action) -> RootAction { content.withLock { $0.action } }

  var part: Part { show(path.part(of: viewModel.currentState)) }

  /// The part, or the last one that was read if it is absent.
  func show(_ part: Part?) -> Part {
    guard let part else { return content.withLock { $0.last } }
    // The part before is released without the lock.
    var last = part
    content.withLock { swap(&$0.last, &last) }
    return part
  }

  /// Reads parts without the view model, which the streams of a slice do not retain.
  func reader() -> @Sendable (Root) -> Part {
    let path = path
    if let whole = path.whole {
      nonisolated(unsafe) let whole = whole
      return { $0[keyPath: whole] }
    }
    let last = Lock(part)
    return { root in
      guard let part = path.part(of: root) else { return last.withLock { $0 } }
      var old = part
      last.withLock { swap(&$0, &old) }
      return part
    }
  }

  var parts: Observable<Part> {
    let path = path
    // The part to begin with, if it is absent in the first state.
    return .lifting(viewModel.stateObservable, Optional(part)) { first, event in
      switch event {
      case .next(let root):
        let seen = path.part(of: root) ?? first
        first = nil
        return seen.map(Event.next)
      case .error(let error): return .error(error)
      case .completed: return .completed
      }
    }
  }

  func execute(_ action: Action, mode: ExecutionMode?) {
    let action = self.action(action)
    if let mode { viewModel.execute(action, mode: mode) } else { viewModel.execute(action) }
  }

  func perform(_ action: Action) async throws -> Part {
    show(path.part(of: try await viewModel.perform(self.action(action))))
  }

  func property<Value: Sendable & Equatable>(_ read: @escaping @Sendable (Part) -> Value) -> Property<Value> {
    let reader = reader()
    return viewModel.property { read(reader($0)) }
  }

  func property<Value: Sendable & Equatable>(
    _ read: @escaping @Sendable (Part) -> Value, set: @escaping @Sendable (Value) -> Action
  ) -> MutableProperty<Value> {
    let (reader, action) = (reader(), action)
    return viewModel.property({ read(reader($0)) }, set: { action(set($0)) })
  }

  func slice<InnerAction: Sendable, Inner: Sendable>(
    _ inner: some SlicePath<Part, Inner>, action: @escaping @Sendable (InnerAction) -> Action
  ) -> ViewModelSlice<InnerAction, Inner>? {
    // A part that its parent always has is there with the last parent.
    let last: Inner? = inner.whole.map { part[keyPath: $0] }
    let outer = self.action
    return viewModel.slice(NestedPath(outer: path, inner: inner), orLast: last) { outer(action($0)) }
  }

  func isEqual(to other: any SliceSource) -> Bool {
    guard let other = other as? Self else { return false }
    return viewModel === other.viewModel && path.isEqual(to: other.path)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(viewModel))
    path.hash(into: &hasher)
  }

  #if canImport(Observation)
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    func observe<Value>(_ member: KeyPath<Part, Value>, _ hasChanged: @escaping (Value, Value) -> Bool) -> Value {
      let observed = viewModel.observed
      let part = observed.track(path, member, in: observed.untracked) { old, new in
        switch (old, new) {
        case (let old?, let new?): hasChanged(old[keyPath: member], new[keyPath: member])
        case (nil, nil): false
        case (nil, _?), (_?, nil): true
        }
      }
      return show(part)[keyPath: member]
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    var activity: ObservedActivity<Action> { viewModel.activity(at: path) }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    func observedProperty<Value: Sendable & Equatable>(
      _ member: KeyPath<Part, Value> & Sendable, set: @escaping @Sendable (Value) -> Action
    ) -> ObservedProperty<Value> {
      let (reader, action) = (reader(), action)
      let whole = path.whole?.appending(path: member)
      let key = whole.map { PropertyKey($0, Value.self) } ?? PropertyKey(member, Value.self, in: path.key)
      return viewModel.observedProperty(for: key, { reader($0)[keyPath: member] }, set: { action(set($0)) })
    }
  #endif
}
