@_exported import Foundation
@_exported import Observation

// The declarations of SwiftUI that the README and the articles use, with the same signatures. Nothing is drawn: `Screen` reads the parts of
// a view.

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public var body: Never { return fatalError() }
}

@resultBuilder @MainActor public enum ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
  {
    var parts: [Part] = []
    for more in repeat SwiftUI.parts(of: each content) { parts += more }
    return TupleView(parts: parts)
  }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<First: View, Second: View>(first: First) -> Either<First, Second> {
    Either(parts: SwiftUI.parts(of: first))
  }
  public static func buildEither<First: View, Second: View>(second: Second) -> Either<First, Second> {
    Either(parts: SwiftUI.parts(of: second))
  }
}

public struct TupleView<Content>: Primitive { public var parts: [Part] = [] }
public struct Either<First: View, Second: View>: Primitive { public var parts: [Part] = [] }

extension Optional: Primitive, View where Wrapped: View {
  public var parts: [Part] { map(SwiftUI.parts(of:)) ?? [] }
}

// MARK: Data

@propertyWrapper public struct State<Value> {
  private final class Storage: Observation.Observable {
    private let registrar = ObservationRegistrar()
    private var stored: Value
    init(_ value: Value) { stored = value }

    var value: Value {
      get {
        registrar.access(self, keyPath: \.value)
        return stored
      }
      set {
        registrar.willSet(self, keyPath: \.value)
        stored = newValue
        registrar.didSet(self, keyPath: \.value)
      }
    }
  }

  private let storage: Storage
  public var wrappedValue: Value {
    get { storage.value }
    nonmutating set { storage.value = newValue }
  }
  public var projectedValue: Binding<Value> { Binding(reading: { storage.value }, writing: { storage.value = $0 }) }
  public init(wrappedValue: Value) { storage = Storage(wrappedValue) }
  public init(initialValue: Value) { storage = Storage(initialValue) }
}

// Sendable: only the main actor uses views.
extension State: @unchecked Sendable where Value: Sendable {}

@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  private let read: () -> Value
  private let write: (Value) -> Void
  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }
  public var projectedValue: Binding<Value> { self }

  init(reading read: @escaping () -> Value, writing write: @escaping (Value) -> Void) {
    (self.read, self.write) = (read, write)
  }

  public init(
    get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {
    self.init(
      reading: { fatalError("The stub cannot call a closure of unknown isolation") },
      writing: { _ in fatalError("The stub cannot call a closure of unknown isolation") })
  }

  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
    Binding<Subject>(
      reading: { read()[keyPath: keyPath] },
      writing: { new in
        var value = read()
        value[keyPath: keyPath] = new
        write(value)
      })
  }
}

@propertyWrapper @dynamicMemberLookup public struct Bindable<Value> {
  public var wrappedValue: Value
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension Bindable where Value: AnyObject & Observation.Observable {
  public init(_ wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>) -> Binding<Subject> {
    let object = wrappedValue
    return Binding(reading: { object[keyPath: keyPath] }, writing: { object[keyPath: keyPath] = $0 })
  }
}

@propertyWrapper public struct FocusState<Value: Hashable> {
  private let state: State<Value>
  public var wrappedValue: Value {
    get { state.wrappedValue }
    nonmutating set { state.wrappedValue = newValue }
  }
  public var projectedValue: Binding { Binding(binding: state.projectedValue) }
  public init() where Value == Bool { state = State(wrappedValue: false) }

  @propertyWrapper public struct Binding {
    let binding: SwiftUI.Binding<Value>
    public var wrappedValue: Value {
      get { binding.wrappedValue }
      nonmutating set { binding.wrappedValue = newValue }
    }
    public var projectedValue: Binding { self }
  }
}

// MARK: Apps

@MainActor @preconcurrency public protocol Scene {}

@resultBuilder @MainActor public enum SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
  @MainActor @preconcurrency init()
}

extension App {
  /// The stub opens no window.
  public static func main() { _ = Self().body }
}

public struct WindowGroup<Content: View>: Scene {
  public let content: Content
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

/// The plug-in `Stubs/preview` expands it to nothing, after the compiler has checked the body.
@freestanding(declaration) public macro Preview(
  _ name: String? = nil, @ViewBuilder body: @escaping @MainActor () -> any View
) =
  #externalMacro(module: "PreviewStub", type: "Preview")

@MainActor @preconcurrency public protocol PreviewProvider {
  associatedtype Previews: View
  @ViewBuilder @MainActor @preconcurrency static var previews: Previews { get }
}

// MARK: Views

public struct EmptyView: Primitive { public init() {} }
public struct Modified: Primitive { public var parts: [Part] = [] }

public struct Text: Primitive {
  public let parts: [Part]
  public init(_ content: some StringProtocol) { parts = [.text(String(content))] }
}

public struct TextField: Primitive {
  public let parts: [Part]
  public init(_ title: some StringProtocol, text: Binding<String>) { parts = [.field(String(title), text)] }
  public init(_ title: some StringProtocol, text: Binding<String>, axis: Axis) { self.init(title, text: text) }
}

public enum Axis: Sendable {
  case horizontal, vertical
}

public struct SecureField: Primitive {
  public let parts: [Part]
  public init(_ title: some StringProtocol, text: Binding<String>) { parts = [.field(String(title), text)] }
}

public struct Toggle: Primitive {
  public let parts: [Part]
  public init(_ title: some StringProtocol, isOn: Binding<Bool>) { parts = [.toggle(String(title), isOn)] }
}

public struct ButtonRole: Sendable {
  public static let cancel = ButtonRole()
  public static let destructive = ButtonRole()
}

public struct Button: Primitive {
  public let parts: [Part]
  public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {
    self.init(title, role: nil, action: action)
  }
  public init(_ title: some StringProtocol, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
    parts = [.button(String(title), isEnabled: true, action)]
  }
}

public struct ProgressView: Primitive {
  public let parts: [Part]
  public init() { parts = [.spinner] }
  public init(_ title: some StringProtocol) { parts = [.spinner, .text(String(title))] }
}

public struct Spacer: Primitive { public init() {} }

public struct Label: Primitive {
  public let parts: [Part]
  public init(_ title: some StringProtocol, systemImage name: String) { parts = [.text(String(title))] }
}

public struct ContentUnavailableView: Primitive {
  public let parts: [Part]
  public init<Title: View, Description: View, Actions: View>(
    @ViewBuilder label: () -> Title, @ViewBuilder description: () -> Description = { EmptyView() },
    @ViewBuilder actions: () -> Actions = { EmptyView() }
  ) { parts = SwiftUI.parts(of: label()) + SwiftUI.parts(of: description()) + SwiftUI.parts(of: actions()) }
}

public struct Form<Content: View>: Primitive {
  public let parts: [Part]
  public init(@ViewBuilder content: () -> Content) { parts = SwiftUI.parts(of: content()) }
}

public struct HStack<Content: View>: Primitive {
  public let parts: [Part]
  public init(@ViewBuilder content: () -> Content) { parts = SwiftUI.parts(of: content()) }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: Primitive {
  public let parts: [Part]
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
  where Data.Element: Identifiable, ID == Data.Element.ID { parts = data.flatMap { SwiftUI.parts(of: content($0)) } }
  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
  ) { parts = data.flatMap { SwiftUI.parts(of: content($0)) } }
}

public struct Section<Content: View>: Primitive {
  public let parts: [Part]
  public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {
    parts = [.text(String(title))] + SwiftUI.parts(of: content())
  }
}

public struct List<Content: View>: Primitive {
  public let parts: [Part]
  public init(@ViewBuilder content: () -> Content) { parts = SwiftUI.parts(of: content()) }
  public init<Data: RandomAccessCollection>(_ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Content)
  where Data.Element: Identifiable { parts = data.flatMap { SwiftUI.parts(of: rowContent($0)) } }
  public init<Data: RandomAccessCollection, ID: Hashable>(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder rowContent: @escaping (Data.Element) -> Content
  ) { parts = data.flatMap { SwiftUI.parts(of: rowContent($0)) } }
}

public struct NavigationStack<Content: View>: Primitive {
  public let parts: [Part]
  public init(@ViewBuilder root: () -> Content) { parts = SwiftUI.parts(of: root()) }
  public init<Path: MutableCollection & RandomAccessCollection & RangeReplaceableCollection>(
    path: Binding<Path>, @ViewBuilder root: () -> Content
  ) where Path.Element: Hashable {
    let root = SwiftUI.parts(of: root())
    let top = path.wrappedValue.reversed().first
    // The part retains the binding, as SwiftUI does.
    let stack = Part.stack(isPushed: top != nil) { path.wrappedValue = Path(path.wrappedValue.dropLast()) }
    guard let top else {
      parts = [stack] + root
      return
    }
    var screen: [Part] = []
    for case .destination(let make) in root { screen = make(AnyHashable(top)) ?? screen }
    parts = [stack] + screen
  }
}

// MARK: Animations

public struct Animation: Equatable, Sendable {
  public static let `default` = Animation()
}

public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows -> Result {
  try body()
}

// MARK: Text input

public struct UITextContentType: Sendable {
  public static let username = UITextContentType()
  public static let password = UITextContentType()
}

public struct TextInputAutocapitalization: Sendable {
  public static var never: TextInputAutocapitalization { TextInputAutocapitalization() }
}

// MARK: Styles

@MainActor @preconcurrency public protocol PrimitiveButtonStyle {}
public struct BorderlessButtonStyle: PrimitiveButtonStyle { public init() {} }
extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
  public static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}

@MainActor @preconcurrency public protocol LabelStyle {}
public struct IconOnlyLabelStyle: LabelStyle { public init() {} }
extension LabelStyle where Self == IconOnlyLabelStyle {
  public static var iconOnly: IconOnlyLabelStyle { IconOnlyLabelStyle() }
}

// MARK: Modifiers

extension View {
  public func disabled(_ isDisabled: Bool) -> some View {
    Modified(parts: SwiftUI.parts(of: self).map { isDisabled ? $0.disabled : $0 })
  }
  public func alert<Actions: View, Message: View>(
    _ title: some StringProtocol, isPresented: Binding<Bool>, @ViewBuilder actions: () -> Actions,
    @ViewBuilder message: () -> Message
  ) -> some View {
    var parts = SwiftUI.parts(of: self)
    if isPresented.wrappedValue {
      let content = [.text(String(title))] + SwiftUI.parts(of: message()) + SwiftUI.parts(of: actions())
      parts.append(.alert(content, isPresented))
    }
    return Modified(parts: parts)
  }
  public func alert<Actions: View, Message: View, Value>(
    _ title: some StringProtocol, isPresented: Binding<Bool>, presenting value: Value?,
    @ViewBuilder actions: (Value) -> Actions, @ViewBuilder message: (Value) -> Message
  ) -> some View {
    alert(
      title,
      isPresented: Binding(
        reading: { isPresented.wrappedValue && value != nil }, writing: { isPresented.wrappedValue = $0 }),
      actions: { value.map(actions) }, message: { value.map(message) })
  }
  public func sheet<Item: Identifiable, Content: View>(
    item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
  ) -> some View {
    var parts = SwiftUI.parts(of: self)
    if let shown = item.wrappedValue {
      let isPresented = Binding(reading: { item.wrappedValue != nil }, writing: { if !$0 { item.wrappedValue = nil } })
      let redraw: @MainActor () -> [Part] = { SwiftUI.parts(of: content(shown)) }
      parts.append(
        .sheet(redraw(), id: shown.id, isPresented: isPresented, onDismiss: onDismiss, redraw: redraw))
    }
    return Modified(parts: parts)
  }
  public func sheet<Content: View>(
    isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
  ) -> some View {
    var parts = SwiftUI.parts(of: self)
    if isPresented.wrappedValue {
      let redraw: @MainActor () -> [Part] = { SwiftUI.parts(of: content()) }
      parts.append(.sheet(redraw(), id: true, isPresented: isPresented, onDismiss: onDismiss, redraw: redraw))
    }
    return Modified(parts: parts)
  }
  public func animation(_ animation: Animation?, value: some Equatable) -> some View { unchanged }
  public func buttonStyle(_ style: some PrimitiveButtonStyle) -> some View { unchanged }
  public func textContentType(_ type: UITextContentType?) -> some View { unchanged }
  public func textInputAutocapitalization(_ kind: TextInputAutocapitalization?) -> some View { unchanged }
  public func autocorrectionDisabled(_ isDisabled: Bool = true) -> some View { unchanged }
  public func onSubmit(_ action: @escaping () -> Void) -> some View { adding([.submission(action)]) }
  public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    Modified(parts: SwiftUI.parts(of: self) + (action.map { [.appearance($0)] } ?? []))
  }
  public func onDisappear(perform action: (() -> Void)? = nil) -> some View { unchanged }
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping (Value, Value) -> Void
  ) -> some View { adding([.change(value) { action($0 as! Value, value) }]) }
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping () -> Void
  ) -> some View { adding([.change(value) { _ in action() }]) }
  public func focused(_ condition: FocusState<Bool>.Binding) -> some View {
    let parts = SwiftUI.parts(of: self)
    return adding(
      parts.compactMap { if case .field(let title, _) = $0 { .focus(title, condition.binding) } else { nil } })
  }
  public func labelStyle(_ style: some LabelStyle) -> some View { unchanged }
  public func navigationTitle(_ title: some StringProtocol) -> some View { adding([.text(String(title))], first: true) }
  public func searchable(text: Binding<String>) -> some View { adding([.field("Search", text)], first: true) }
  public func refreshable(action: @escaping @Sendable () async -> Void) -> some View { unchanged }
  public func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> some View {
    adding(SwiftUI.parts(of: content()))
  }
  public func overlay<Content: View>(@ViewBuilder content: () -> Content) -> some View {
    adding(SwiftUI.parts(of: content()))
  }
  public func previewDisplayName(_ value: String?) -> some View { unchanged }
  public func task(
    priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { unchanged }
  public func navigationDestination<Data: Hashable, Content: View>(
    for data: Data.Type, @ViewBuilder destination: @escaping (Data) -> Content
  ) -> some View {
    let make = Part.destination { element in (element.base as? Data).map { SwiftUI.parts(of: destination($0)) } }
    return Modified(parts: SwiftUI.parts(of: self) + [make])
  }
  public func fullScreenCover<Item: Identifiable, Content: View>(
    item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
  ) -> some View { unchanged }

  private var unchanged: Modified { adding([]) }

  private func adding(_ parts: [Part], first isFirst: Bool = false) -> Modified {
    Modified(parts: isFirst ? parts + SwiftUI.parts(of: self) : SwiftUI.parts(of: self) + parts)
  }
}
