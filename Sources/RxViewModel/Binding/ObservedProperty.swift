#if canImport(Observation)
  import Observation

  /// Mirrors a property for SwiftUI, and for other clients of the Observation framework, which may also write it.
  ///
  ///     @State private var name: ObservedProperty<String>
  ///     // in init: name = ObservedProperty(viewModel.property(\.username, set: LoginAction.setUsername))
  ///
  ///     var body: some View { TextField("Name", text: Bindable(name).value) }
  ///
  /// Observation notifies a view that has read ``value`` when the value changes. A value that is written here can be read at once. Other
  /// changes reach the view on the main actor; a change that happens on the main actor reaches it at once if no earlier one waits. If the
  /// value changes several times before the main actor is free, the view is notified only of the last change. When the property ends, this
  /// object keeps the last value.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor
  public final class ObservedProperty<Value: Sendable & Equatable>: Observation.Observable {
    private let registrar = ObservationRegistrar()
    private let subscription = SerialDisposable()
    private let property: MutableProperty<Value>
    private var current: Value
    /// Whether a view has read the value between the announcement of a change and the change itself.
    private var isReadEarly = false

    /// Makes an object that mirrors `property` from now on, and keeps it alive.
    public init(_ property: MutableProperty<Value>) {
      self.property = property
      current = property.value
      // Reads the property instead of using the event's value, because a newer value may have been written here since the event was sent.
      subscription.replace(
        with: property.bind { [weak self] _ in
          if let self { update(to: self.property.lastValue) }
        })
    }

    deinit {
      subscription.dispose()
    }

    /// The property's value. Setting it writes the property.
    public var value: Value {
      get {
        registrar.access(self, keyPath: \.value)
        isReadEarly = true
        return current
      }
      set {
        update(to: newValue)
        property.value = newValue
        // The storage may have kept another value.
        update(to: property.value)
      }
    }

    private func update(to new: Value) {
      if isUnchanged(current, new) { return }
      isReadEarly = false
      registrar.willSet(self, keyPath: \.value)
      let isOutdated = isReadEarly
      // The old value is released after the access to `current` has ended.
      var last = new
      swap(&last, &current)
      registrar.didSet(self, keyPath: \.value)
      if isOutdated {
        // A view that has read the value between the two calls has read the old one. This notification makes it read again.
        registrar.willSet(self, keyPath: \.value)
        registrar.didSet(self, keyPath: \.value)
      }
    }
  }
#endif
