/// A slice without the types of its view model.
protocol SliceSource<Action, Part>: Sendable {
  associatedtype Action: Sendable
  associatedtype Part: Sendable

  /// The part, or the last one if it is absent.
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
    _ inner: SlicePath<Part, Inner>, action: @escaping @Sendable (InnerAction) -> Action
  ) -> ViewModelSlice<InnerAction, Inner>?

  #if canImport(Observation)
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor func observe<Value: Equatable>(_ member: KeyPath<Part, Value>) -> Value
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor func observeEachState<Value>(_ member: KeyPath<Part, Value>) -> Value
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor func observedProperty<Value: Sendable & Equatable>(
      _ member: KeyPath<Part, Value> & Sendable, set: @escaping @Sendable (Value) -> Action
    ) -> ObservedProperty<Value>
  #endif
}

/// The part of a view model's state that a path leads to, with the actions for it. Retains the view model.
struct ViewModelPart<RootAction: Sendable, Root: Sendable, Action: Sendable, Part: Sendable>: SliceSource {
  /// Reads the part, without the view model: the streams of a slice do not retain that.
  struct Reader: Sendable {
    let path: SlicePath<Root, Part>
    let last: LastPart<Part>

    func part(of root: Root) -> Part { path.part(of: root) ?? last.part }
  }

  let viewModel: RxViewModel<RootAction, Root>
  let reader: Reader
  let action: @Sendable (Action) -> RootAction

  /// - Parameter part: The part that the slice begins with.
  init(
    of viewModel: RxViewModel<RootAction, Root>, _ path: SlicePath<Root, Part>, _ part: Part,
    _ action: @escaping @Sendable (Action) -> RootAction
  ) {
    self.viewModel = viewModel
    self.action = action
    let last = LastPart(part)
    // A part that is always present needs no last one.
    if case .optional = path { last.follow(viewModel.stateObservable.compactMap { path.part(of: $0) }) }
    reader = Reader(path: path, last: last)
  }

  var part: Part { reader.part(of: viewModel.currentState) }

  var parts: Observable<Part> {
    switch reader.path {
    case .present: viewModel.stateObservable.map { [reader] in reader.part(of: $0) }
    case .optional: reader.last.parts
    }
  }

  func execute(_ action: Action, mode: ExecutionMode?) {
    let action = self.action(action)
    if let mode { viewModel.execute(action, mode: mode) } else { viewModel.execute(action) }
  }

  func perform(_ action: Action) async throws -> Part {
    reader.part(of: try await viewModel.perform(self.action(action)))
  }

  func property<Value: Sendable & Equatable>(_ read: @escaping @Sendable (Part) -> Value) -> Property<Value> {
    viewModel.property { [reader] in read(reader.part(of: $0)) }
  }

  func property<Value: Sendable & Equatable>(
    _ read: @escaping @Sendable (Part) -> Value, set: @escaping @Sendable (Value) -> Action
  ) -> MutableProperty<Value> {
    viewModel.property({ [reader] in read(reader.part(of: $0)) }, set: { [action] in action(set($0)) })
  }

  func slice<InnerAction: Sendable, Inner: Sendable>(
    _ inner: SlicePath<Part, Inner>, action: @escaping @Sendable (InnerAction) -> Action
  ) -> ViewModelSlice<InnerAction, Inner>? {
    let last: Inner? = if case .present = inner { inner.part(of: part) } else { nil }
    return viewModel.slice(reader.path.appending(inner), orLast: last) { [outer = self.action] in
      outer(action($0))
    }
  }

  #if canImport(Observation)
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    func observe<Value: Equatable>(_ member: KeyPath<Part, Value>) -> Value {
      switch reader.path.appending(.present(member)) {
      case .present(let path): viewModel.observed[dynamicMember: path]
      case .optional(let path): viewModel.observed[dynamicMember: path] ?? reader.last.part[keyPath: member]
      }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    func observeEachState<Value>(_ member: KeyPath<Part, Value>) -> Value {
      switch reader.path.appending(.present(member)) {
      case .present(let path): viewModel.observed[dynamicMember: path]
      case .optional(let path): viewModel.observed[dynamicMember: path] ?? reader.last.part[keyPath: member]
      }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    func observedProperty<Value: Sendable & Equatable>(
      _ member: KeyPath<Part, Value> & Sendable, set: @escaping @Sendable (Value) -> Action
    ) -> ObservedProperty<Value> {
      let key = PropertyKey(reader.path.appending(.present(member)).keyPath, Value.self)
      return viewModel.observedProperty(
        for: key, { [reader] in reader.part(of: $0)[keyPath: member] }, set: { [action] in action(set($0)) })
    }
  #endif
}

/// The last part that was present, and a stream of the parts, in the order of the states.
final class LastPart<Part: Sendable>: Sendable {
  private let subject: BehaviorSubject<Part>
  private let subscription = SerialDisposable()

  init(_ part: Part) {
    subject = BehaviorSubject(value: part)
  }

  deinit {
    subscription.dispose()
  }

  var part: Part { subject.value }

  /// The last part, and then each later one. A subscription retains this object, and so keeps it following.
  var parts: Observable<Part> { subject.map { [self] part in withExtendedLifetime(self) { part } } }

  func follow(_ parts: Observable<Part>) {
    subscription.replace(with: parts.subscribe(subject))
  }
}
