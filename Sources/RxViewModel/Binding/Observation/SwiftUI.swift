#if canImport(SwiftUI)
  import SwiftUI

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor
  extension RxViewModel {
    /// A binding that reads a part of the state, and writes it by executing an action.
    ///
    ///     TextField("Username", text: viewModel.binding(\.username, set: LoginAction.setUsername))
    ///
    /// This is the binding of ``observedProperty(_:set:)``: views that bind one part show the same value, and you can read a written value
    /// immediately.
    public final func binding<Value: Sendable & Equatable>(
      _ part: KeyPath<State, Value> & Sendable, set action: @escaping @Sendable (Value) -> Action
    ) -> Binding<Value> {
      Bindable(observedProperty(part, set: action)).value
    }

    /// A binding to the child that a sheet shows. When the sheet is dismissed, it executes `dismiss`. The sheet's content keeps the slice,
    /// and so the last child, while the sheet disappears.
    ///
    ///     .sheet(item: viewModel.binding(\.form, ScreenAction.form, dismiss: .dismiss)) { FormView(form: $0) }
    public final func binding<ChildAction: Sendable, Child: Sendable>(
      _ part: WritableKeyPath<State, Child?> & Sendable, _ action: @escaping @Sendable (ChildAction) -> Action,
      dismiss: Action
    ) -> Binding<ViewModelSlice<ChildAction, Child>?> {
      Bindable(PresentedSlice({ self.slice(part, action) }, { self.execute(dismiss) })).slice
    }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor
  extension ViewModelSlice {
    /// A binding to a part of the child: the binding of ``observedProperty(_:set:)``.
    public func binding<Value: Sendable & Equatable>(
      _ part: KeyPath<State, Value> & Sendable, set action: @escaping @Sendable (Value) -> Action
    ) -> Binding<Value> {
      Bindable(observedProperty(part, set: action)).value
    }

    /// A binding to a child of this child, for a sheet that shows it. Otherwise it behaves like the one of a view model.
    public func binding<ChildAction: Sendable, Child: Sendable>(
      _ part: WritableKeyPath<State, Child?> & Sendable, _ action: @escaping @Sendable (ChildAction) -> Action,
      dismiss: Action
    ) -> Binding<ViewModelSlice<ChildAction, Child>?> {
      Bindable(PresentedSlice({ slice(part, action) }, { execute(dismiss) })).slice
    }
  }

  /// The child that a sheet shows.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor
  private final class PresentedSlice<Action: Sendable, State: Sendable>: Observation.Observable {
    typealias Slice = ViewModelSlice<Action, State>?
    private let read: @MainActor () -> Slice
    private let dismiss: () -> Void

    init(_ read: @escaping @MainActor () -> Slice, _ dismiss: @escaping () -> Void) {
      (self.read, self.dismiss) = (read, dismiss)
    }

    var slice: Slice {
      get { read() }
      set { if newValue == nil { dismiss() } }
    }
  }
#endif
