import Observation

/// A part of a view that a user sees.
@MainActor public enum Part {
  case text(String)
  case field(String, Binding<String>)
  case toggle(String, Binding<Bool>)
  case button(String, isEnabled: Bool, @MainActor () -> Void)
  case spinner
  indirect case alert([Part], Binding<Bool>)
  /// `redraw` makes the content again, with the item with which the sheet has been presented.
  indirect case sheet(
    [Part], id: AnyHashable, isPresented: Binding<Bool>, onDismiss: (() -> Void)?, redraw: @MainActor () -> [Part])
  /// A navigation stack, and the action that pops its pushed screen. Only the way back is visible.
  case stack(isPushed: Bool, pop: @MainActor () -> Void)
  /// Makes the screen of an element of a navigation stack's path. Not visible.
  case destination(@MainActor (AnyHashable) -> [Part]?)
  /// The action that a view runs when it appears. Not visible.
  case appearance(() -> Void)
  /// The action that the return key runs. Not visible.
  case submission(() -> Void)
  /// Whether the field with this title has the focus. Not visible.
  case focus(String, Binding<Bool>)
  /// A value, and what to do when it has changed. Not visible.
  case change(any Equatable, (Any) -> Void)

  /// Runs the action of a `change` if its value differs from that of another one.
  func runAction(after other: Part) {
    guard case .change(let value, let action) = self, case .change(let old, _) = other else { return }
    func isEqual<Value: Equatable>(_ value: Value) -> Bool { value == old as? Value }
    if !isEqual(value) { action(old) }
  }

  var disabled: Part {
    if case .button(let title, _, let action) = self { .button(title, isEnabled: false, action) } else { self }
  }

  /// The part as a line of text, or nil if it is not visible.
  var line: String? {
    switch self {
    case .text(let text): text
    case .field(let title, let text): "\(title): \(text.wrappedValue)"
    case .toggle(let title, let isOn): "\(title): \(isOn.wrappedValue ? "on" : "off")"
    case .button(let title, let isEnabled, _): isEnabled ? "[\(title)]" : "(\(title))"
    case .spinner: "…"
    case .alert(let parts, _): "! " + parts.compactMap(\.line).joined(separator: " | ")
    case .sheet(let parts, _, _, _, _): "^ " + parts.compactMap(\.line).joined(separator: " | ")
    case .stack(let isPushed, _): isPushed ? "<" : nil
    case .destination, .appearance, .submission, .focus, .change: nil
    }
  }
}

/// A view without a body.
public protocol Primitive: View where Body == Never {
  var parts: [Part] { get }
}

extension Primitive {
  public var body: Never { fatalError("This view has no body") }
  public var parts: [Part] { [] }
}

@MainActor func parts(of view: some View) -> [Part] {
  if let view = view as? any Primitive { view.parts } else { parts(of: view.body) }
}

/// Shows a view to a test, which reads it and uses its controls.
///
/// It draws as SwiftUI does: in the next frame after Observation has notified it that something has changed which the view has read. So it
/// shows an old value if a notification is missing. A frame comes before each read and each tap.
@MainActor public final class Screen<Content: View> {
  private var content: Content
  /// The shown parts retain their bindings, as in SwiftUI.
  private var shown: [Part] = []
  private var shownLines: [String] = []
  private var isOutdated = false
  /// The sheet that is on screen.
  private var sheet: (id: AnyHashable, onDismiss: (() -> Void)?, redraw: @MainActor () -> [Part])?
  /// What the last sheet has shown while it was dismissed.
  public private(set) var dismissedSheet: [String] = []

  public init(_ content: Content) {
    self.content = content
    draw()
  }

  /// Shows the view that its parent passes now.
  public func show(_ content: Content) {
    self.content = content
    draw()
  }

  /// Draws the view if something that it has read has changed.
  private func frame() { while isOutdated { draw() } }

  /// Reads the view's parts, and then presents or dismisses its sheet. As in SwiftUI, that is some time after the view has changed: a
  /// sheet that its view has withdrawn meanwhile never appears, and has no `onDismiss`.
  private func draw() {
    isOutdated = false
    let last = shown
    withObservationTracking {
      shown = parts(of: content)
      shownLines = shown.compactMap(\.line)
    } onChange: { [weak self] in
      MainActor.assumeIsolated { self?.isOutdated = true }
    }
    for (part, last) in zip(changes(in: shown), changes(in: last)) { part.runAction(after: last) }
    var wanted: (parts: [Part], id: AnyHashable, onDismiss: (() -> Void)?, redraw: @MainActor () -> [Part])?
    for case .sheet(let parts, let id, _, let onDismiss, let redraw) in shown {
      wanted = (parts, id, onDismiss, redraw)
    }
    if wanted?.id == sheet?.id { return }
    if let last = sheet {
      sheet = nil
      dismissedSheet = last.redraw().compactMap(\.line)
      last.onDismiss?()
      return draw()
    }
    sheet = wanted.map { ($0.id, $0.onDismiss, $0.redraw) }
    for case .appearance(let action) in wanted?.parts ?? [] { action() }
  }

  private func changes(in parts: [Part]) -> [Part] { parts.filter { if case .change = $0 { true } else { false } } }

  /// Gives the focus to the field with this title, or takes it from all fields.
  public func focus(_ title: String?) {
    frame()
    for case .focus(let field, let isFocused) in shown { isFocused.wrappedValue = field == title }
    frame()
  }

  /// Returns the view's parts as text. A disabled button is in parentheses. An alert begins with an exclamation mark,
  /// a sheet with `^`, and a pushed screen with `<`.
  public var lines: [String] {
    frame()
    return shownLines
  }

  /// Runs the actions of the shown views for their appearance.
  public func appear() {
    frame()
    for case .appearance(let action) in shown { action() }
  }

  /// Presses the return key in a field.
  public func submit() {
    frame()
    for case .submission(let action) in shown { action() }
  }

  /// The shown parts, with those of a sheet.
  private var all: [Part] {
    shown + shown.flatMap { if case .sheet(let sheet, _, _, _, _) = $0 { sheet } else { [Part]() } }
  }

  /// Types `text` into the field with this title, which may be in a sheet.
  public func type(_ text: String, into title: String) {
    for case .field(title, let binding) in all { binding.wrappedValue = text }
    frame()
  }

  /// Flips the toggle with this title, which may be in a sheet. `place` is its index among the toggles with this title.
  public func toggle(_ title: String, at place: Int = 0) {
    frame()
    var bindings: [Binding<Bool>] = []
    for case .toggle(title, let isOn) in all { bindings.append(isOn) }
    bindings[place].wrappedValue.toggle()
  }

  /// Taps the button with this title, unless it is disabled.
  public func tap(_ title: String) {
    frame()
    for case .button(title, isEnabled: true, let action) in shown { action() }
  }

  /// Taps the button with this title in the alert, which may be over a sheet, and then dismisses the alert, as SwiftUI does.
  public func tapInAlert(_ title: String) {
    frame()
    for case .alert(let parts, let isPresented) in all {
      for case .button(title, isEnabled: true, let action) in parts { action() }
      isPresented.wrappedValue = false
    }
  }

  /// Taps the button with this title in the sheet.
  public func tapInSheet(_ title: String) {
    frame()
    for case .sheet(let parts, _, _, _, _) in shown {
      for case .button(title, isEnabled: true, let action) in parts { action() }
    }
    frame()
  }

  /// Swipes the sheet down.
  public func dismissSheet() {
    frame()
    for case .sheet(_, _, let isPresented, _, _) in shown { isPresented.wrappedValue = false }
    frame()
  }

  /// Swipes the pushed screen away.
  public func swipeBack() {
    frame()
    for case .stack(isPushed: true, let pop) in shown { pop() }
    frame()
  }
}
