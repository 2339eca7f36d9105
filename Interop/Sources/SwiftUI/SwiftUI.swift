@_exported import Foundation
@_exported import Observation

// What the README and the articles use of SwiftUI, with its signatures: enough to type-check them. Nothing is drawn.

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public var body: Never { return fatalError() }
}

/// A view without parts.
public protocol Primitive: View where Body == Never {}

extension Primitive {
  public var body: Never { fatalError("A stub is not drawn") }
}

@resultBuilder public enum ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
  {
    TupleView()
  }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<First: View, Second: View>(first: First) -> Either<First, Second> { Either() }
  public static func buildEither<First: View, Second: View>(second: Second) -> Either<First, Second> { Either() }
}

public struct EmptyView: Primitive {}
public struct TupleView<Content>: Primitive {}
public struct Either<First: View, Second: View>: Primitive {}
public struct Modified: Primitive {}

extension Optional: View where Wrapped: View {
  public var body: Never { return fatalError() }
}

// MARK: Data

@propertyWrapper public struct State<Value> {
  public var wrappedValue: Value {
    get { fatalError("A stub stores nothing") }
    nonmutating set { _ = newValue }
  }
  public var projectedValue: Binding<Value> { fatalError() }
  public init(wrappedValue: Value) {}
  public init(initialValue: Value) {}
}

extension State: Sendable where Value: Sendable {}

@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  public var wrappedValue: Value {
    get { fatalError("A stub stores nothing") }
    nonmutating set { _ = newValue }
  }
  public var projectedValue: Binding<Value> { self }
  public init(
    get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {}
  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> { fatalError() }
}

@propertyWrapper @dynamicMemberLookup public struct Bindable<Value> {
  public var wrappedValue: Value
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension Bindable where Value: AnyObject & Observation.Observable {
  public init(_ wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>) -> Binding<Subject> {
    fatalError()
  }
}

// MARK: Views

public struct Text: Primitive {
  public init(_ content: some StringProtocol) {}
}

public struct TextField: Primitive {
  public init(_ title: some StringProtocol, text: Binding<String>) {}
}

public struct SecureField: Primitive {
  public init(_ title: some StringProtocol, text: Binding<String>) {}
}

public struct Button: Primitive {
  public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {}
}

public struct ProgressView: Primitive {
  public init() {}
}

public struct Form<Content: View>: Primitive {
  public init(@ViewBuilder content: () -> Content) {}
}

public struct List<Content: View>: Primitive {
  public init<Data: RandomAccessCollection>(_ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Content)
  where Data.Element: Identifiable {}
}

public struct NavigationStack<Content: View>: Primitive {
  public init<Path: MutableCollection & RandomAccessCollection & RangeReplaceableCollection>(
    path: Binding<Path>, @ViewBuilder root: () -> Content
  ) where Path.Element: Hashable {}
}

// MARK: Modifiers

extension View {
  public func disabled(_ isDisabled: Bool) -> some View { Modified() }
  public func onAppear(perform action: (() -> Void)? = nil) -> some View { Modified() }
  public func onDisappear(perform action: (() -> Void)? = nil) -> some View { Modified() }
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping (Value, Value) -> Void
  ) -> some View { Modified() }
  public func task(
    priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { Modified() }
  public func navigationDestination<Data: Hashable, Content: View>(
    for data: Data.Type, @ViewBuilder destination: @escaping (Data) -> Content
  ) -> some View { Modified() }
  public func fullScreenCover<Item: Identifiable, Content: View>(
    item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
  ) -> some View { Modified() }
}
