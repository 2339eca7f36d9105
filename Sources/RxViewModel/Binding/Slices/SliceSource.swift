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

/// The part in the newest state that was read and has it. Two threads may read states in any order.
struct LastPart<Part: Sendable>: Sendable {
  var part: Part
  /// The number of its state.
  var number: UInt64

  /// Returns the part of a state, or the last one if it is absent. Also returns what it has replaced, for the caller to release without
  /// the lock.
  mutating func show(_ part: Part?, in number: UInt64) -> (shown: Part, replaced: Part?) {
    guard let part else { return (self.part, nil) }
    if number < self.number { return (part, nil) }
    defer { (self.part, self.number) = (part, number) }
    return (part, self.part)
  }
}

/// The part of a view model's state that a path leads to, with the actions for it. Retains the view model.
struct ViewModelPart<RootAction: Sendable, Root: Sendable, Action: Sendable, Part: Sendable>: SliceSource {
  /// One object for all: a slice is made for each row and body.
  private struct Content {
    let viewModel: RxViewModel<RootAction, Root>
    let path: any SlicePath<Root, Part>
    let action: @Sendable (Action) -> RootAction
    var last: LastPart<Part>
  }

  private let content: Lock<Content>

  /// - Parameter first: The part that the slice begins with.
  init(
    of viewModel: RxViewModel<RootAction, Root>, _ path: any SlicePath<Root, Part>, _ first: LastPart<Part>,
    _ action: @escaping @Sendable (Action) -> RootAction
  ) {
    content = Lock(Content(viewModel: viewModel, path: path, action: action, last: first))
  }

  var viewModel: RxViewModel<RootAction, Root> { content.withLock { $0.viewModel } }
  var path: any SlicePath<Root, Part> { content.withLock { $0.path } }
  var action: @Sendable (Action) -> RootAction { content.withLock { $0.action } }

  var part: Part { show(in: viewModel.engine.currentState) }

  private func show(in state: Box<Root>) -> Part { show(path.part(of: state.value), in: state) }

  private func show(_ part: Part?, in state: Box<Root>) -> Part {
    content.withLock { $0.last.show(part, in: state.number) }.shown
  }

  /// Reads the part, and returns the newest one that has been read.
  private func lastRead() -> LastPart<Part> {
    _ = part
    return content.withLock { $0.last }
  }

  /// Reads parts without the view model, which the streams of a slice do not retain.
  func reader() -> @Sendable (Box<Root>) -> Part {
    let path = path
    if let whole = path.whole {
      nonisolated(unsafe) let whole = whole
      return { $0.value[keyPath: whole] }
    }
    let last = Lock(lastRead())
    return { state in
      let part = path.part(of: state.value)
      return last.withLock { $0.show(part, in: state.number) }.shown
    }
  }

  var parts: Observable<Part> {
    let path = path
    // The part to begin with, if it is absent in the first state.
    return .lifting(viewModel.stateObservable, Optional(part)) { first, root, sink in
      let seen = path.part(of: root) ?? first
      first = nil
      return seen.map(sink.next) ?? .more
    }
  }

  func execute(_ action: Action, mode: ExecutionMode?) {
    let action = self.action(action)
    if let mode { viewModel.execute(action, mode: mode) } else { viewModel.execute(action) }
  }

  func perform(_ action: Action) async throws -> Part {
    let viewModel = viewModel
    return show(in: try await viewModel.engine.perform(self.action(action), mode: nil, for: viewModel))
  }

  func property<Value: Sendable & Equatable>(_ read: @escaping @Sendable (Part) -> Value) -> Property<Value> {
    let reader = reader()
    return viewModel.property(reading: { read(reader($0)) })
  }

  func property<Value: Sendable & Equatable>(
    _ read: @escaping @Sendable (Part) -> Value, set: @escaping @Sendable (Value) -> Action
  ) -> MutableProperty<Value> {
    let (reader, action) = (reader(), action)
    return viewModel.property(reading: { read(reader($0)) }, set: { action(set($0)) })
  }

  func slice<InnerAction: Sendable, Inner: Sendable>(
    _ inner: some SlicePath<Part, Inner>, action: @escaping @Sendable (InnerAction) -> Action
  ) -> ViewModelSlice<InnerAction, Inner>? {
    // A part that its parent always has is there with the last parent.
    let last: LastPart<Inner>? = inner.whole.map { whole in
      let last = lastRead()
      return LastPart(part: last.part[keyPath: whole], number: last.number)
    }
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
      let state = observed.untracked
      let part = observed.track(path, member, in: state.value) { old, new in
        switch (old, new) {
        case (let old?, let new?): hasChanged(old[keyPath: member], new[keyPath: member])
        case (nil, nil): false
        case (nil, _?), (_?, nil): true
        }
      }
      return show(part, in: state)[keyPath: member]
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
