#if canImport(SwiftUI)
  import SwiftUI

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  extension RxViewModel {
    /// A binding that reads a part of the state, and writes it by executing an action.
    ///
    ///     TextField("Username", text: viewModel.binding(\.username, set: LoginAction.setUsername))
    ///
    /// The binding of ``observedProperty(_:set:)``: views that bind one part show one value, and a value that is written can be read at
    /// once.
    @MainActor
    public final func binding<Value: Sendable & Equatable>(
      _ part: KeyPath<State, Value> & Sendable, set action: @escaping @Sendable (Value) -> Action
    ) -> Binding<Value> {
      Bindable(observedProperty(part, set: action)).value
    }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  extension ViewModelSlice {
    /// A binding to a part of the child. The binding of ``observedProperty(_:set:)``.
    @MainActor
    public func binding<Value: Sendable & Equatable>(
      _ part: KeyPath<State, Value> & Sendable, set action: @escaping @Sendable (Value) -> Action
    ) -> Binding<Value> {
      Bindable(observedProperty(part, set: action)).value
    }
  }
#endif
