import Observation

/// A property that SwiftUI, or another client of the Observation framework, can read and write.
///
///     TextField("Name", text: Bindable(viewModel.observedProperty(\.name, set: Edit.setName)).value)
///
/// A view that reads ``value`` is updated when the value changes. A value that you write here can be read immediately. Other changes reach
/// the view on the main actor, immediately if they happen there and no earlier one waits. If the value changes several times before the
/// main actor is free, the view is notified only of the last change. When the property ends, this object keeps the last value.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
public final class ObservedProperty<Value: Sendable & Equatable>: Observation.Observable {
  private let property: MutableProperty<Value>
  private let shown: ShownValue<Value>

  /// Makes an object that mirrors `property` from now on, and keeps it alive.
  public convenience init(_ property: MutableProperty<Value>) {
    self.init(property, shown: ShownValue(property.readOnly))
  }

  init(_ property: MutableProperty<Value>, shown: ShownValue<Value>) {
    (self.property, self.shown) = (property, shown)
  }

  /// The property's value. Setting it writes the property.
  public var value: Value {
    get { shown.tracked.value }
    set {
      property.value = newValue
      // The storage may have kept another value, and the property's event may still wait for the main actor.
      shown.update(to: property.value)
    }
  }
}

/// The value of a property that views show.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
final class ShownValue<Value: Sendable & Equatable> {
  let tracked: TrackedValue<Value>
  /// What all writers of the property share. Nil if the property isn't a view model's.
  let field: StateField<Value>?
  private let subscription = SerialDisposable()

  init(_ property: Property<Value>, _ field: StateField<Value>? = nil) {
    (tracked, self.field) = (TrackedValue(property.value), field)
    // Reads the property instead of using the event's value, because a newer value may have been written here since the event was sent.
    subscription.replace(with: property.bind { [weak self] _ in self?.update(to: property.lastValue) })
  }

  deinit { subscription.dispose() }

  func update(to new: Value) { if !isUnchanged(tracked.untracked, new) { tracked.set(new) } }
}
