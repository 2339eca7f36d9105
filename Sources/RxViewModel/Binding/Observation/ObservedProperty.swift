#if canImport(Observation)
  import Observation

  /// Mirrors a property for SwiftUI, and for other clients of the Observation framework, which may also write it.
  ///
  ///     TextField("Name", text: Bindable(viewModel.observedProperty(\.name, set: Edit.setName)).value)
  ///
  /// Observation notifies a view that has read ``value`` when the value changes. A value that is written here can be read at once. Other
  /// changes reach the view on the main actor; a change that happens on the main actor reaches it at once if no earlier one waits. If the
  /// value changes several times before the main actor is free, the view is notified only of the last change. When the property ends, this
  /// object keeps the last value.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor
  public final class ObservedProperty<Value: Sendable & Equatable>: Observation.Observable {
    private let subscription = SerialDisposable()
    private let property: MutableProperty<Value>
    private let tracked: TrackedValue<Value>
    private let release: AtRelease?

    /// Makes an object that mirrors `property` from now on, and keeps it alive.
    public convenience init(_ property: MutableProperty<Value>) {
      self.init(property, release: nil)
    }

    /// - Parameter release: Released with this object.
    init(_ property: MutableProperty<Value>, release: AtRelease?) {
      self.property = property
      self.release = release
      tracked = TrackedValue(property.value)
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
      get { tracked.value }
      set {
        property.value = newValue
        // The storage may have kept another value, and the property's event may still wait for the main actor.
        update(to: property.value)
      }
    }

    private func update(to new: Value) {
      if !isUnchanged(tracked.untracked, new) { tracked.set(new) }
    }
  }
#endif
