/// A part of a view that a user sees.
@MainActor public enum Part {
  case text(String)
  case field(String, Binding<String>)
  case button(String, isEnabled: Bool, @MainActor () -> Void)
  case spinner
  indirect case alert([Part], Binding<Bool>)

  var disabled: Part {
    if case .button(let title, _, let action) = self { .button(title, isEnabled: false, action) } else { self }
  }

  /// The part as a line of text.
  var line: String {
    switch self {
    case .text(let text): text
    case .field(let title, let text): "\(title): \(text.wrappedValue)"
    case .button(let title, let isEnabled, _): isEnabled ? "[\(title)]" : "(\(title))"
    case .spinner: "…"
    case .alert(let parts, _): "! " + parts.map(\.line).joined(separator: " | ")
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
@MainActor public final class Screen<Content: View> {
  private var content: Content
  /// What is shown retains its bindings, as in SwiftUI.
  private var shown: [Part]

  public init(_ content: Content) {
    self.content = content
    shown = parts(of: content)
  }

  /// Shows what the parent passes now.
  public func show(_ content: Content) {
    self.content = content
    shown = parts(of: content)
  }

  /// The view's parts, read again: a disabled button stands in parentheses, an alert behind an exclamation mark.
  public var lines: [String] {
    shown = parts(of: content)
    return shown.map(\.line)
  }

  /// Types `text` into the field with this title.
  public func type(_ text: String, into title: String) {
    for case .field(title, let binding) in shown { binding.wrappedValue = text }
    shown = parts(of: content)
  }

  /// Taps the button with this title, unless it is disabled.
  public func tap(_ title: String) {
    shown = parts(of: content)
    for case .button(title, isEnabled: true, let action) in shown { action() }
  }

  /// Taps the button with this title in the alert, which dismisses the alert after that, as SwiftUI does.
  public func tapInAlert(_ title: String) {
    shown = parts(of: content)
    for case .alert(let parts, let isPresented) in shown {
      for case .button(title, isEnabled: true, let action) in parts { action() }
      isPresented.wrappedValue = false
    }
  }
}
