#if canImport(Observation)
  import Observation

  /// A property for views that track what they read, and that may write it: SwiftUI, and other clients of the Observation framework.
  ///
  ///     @State private var name: ObservedProperty<String>
  ///     // in init: name = ObservedProperty(viewModel.property(\.username, set: LoginAction.setUsername))
  ///
  ///     var body: some View { TextField("Name", text: Bindable(name).value) }
  ///
  /// A view that has read ``value`` is told when it becomes another one. A value that is written here is there at once. Other changes
  /// come on the main actor; from the main actor at once. If the value has changed several times by then, the view is told of the last
  /// one. Keeps the last value when the property ends.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor
  public final class ObservedProperty<Value: Sendable & Equatable>: Observation.Observable {
    private let registrar = ObservationRegistrar()
    private let subscription = SerialDisposable()
    private let property: MutableProperty<Value>
    private var current: Value
    /// Whether the value has been read since a change was announced, and before it was made.
    private var isReadEarly = false

    /// Mirrors `property` from now on, and keeps it alive.
    public init(_ property: MutableProperty<Value>) {
      self.property = property
      current = property.value
      // Asked for, and not taken from the event: a newer value may have been written here since that was sent.
      subscription.replace(
        with: property.bind { [weak self] _ in
          if let self { update(to: self.property.value) }
        })
    }

    deinit {
      subscription.dispose()
    }

    /// The property's value. Writing it writes the property.
    public var value: Value {
      get {
        registrar.access(self, keyPath: \.value)
        isReadEarly = true
        return current
      }
      set {
        update(to: newValue)
        property.value = newValue
        // What a store has made of it.
        update(to: property.value)
      }
    }

    private func update(to new: Value) {
      if new == current { return }
      isReadEarly = false
      registrar.willSet(self, keyPath: \.value)
      let isOutdated = isReadEarly
      current = new
      registrar.didSet(self, keyPath: \.value)
      if isOutdated {
        // A view that has read in answer to the announcement is told that this was the old value.
        registrar.willSet(self, keyPath: \.value)
        registrar.didSet(self, keyPath: \.value)
      }
    }
  }
#endif
