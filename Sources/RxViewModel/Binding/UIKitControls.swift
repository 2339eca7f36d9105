#if canImport(UIKit) && !os(watchOS)  // There UIKit has no views.
  import UIKit

  extension UIControl {
    /// Emits when one of `events` happens. Replays nothing.
    ///
    ///     slider.events([.touchUpInside, .touchUpOutside]).bind { player.seek() }.disposed(by: bag)
    ///
    /// Emits on the main actor, while the control sends the event (contract 3.6). Never fails. Completes on the main actor when the control
    /// is released. Neither the stream nor a subscription retains the control. You can subscribe and dispose on any thread; a subscription
    /// that you make off the main actor begins as soon as the main actor is free.
    public func events(_ events: Event) -> Observable<Void> {
      stream(of: self) { control, token in control.call(at: events) { token.send(()) } }
    }

    /// Calls `handler` at each of `events`, until the result is called. Only the control retains `handler`.
    fileprivate func call(at events: Event, _ handler: @escaping @MainActor () -> Void) -> @MainActor () -> Void {
      let action = UIAction { _ in handler() }
      addAction(action, for: events)
      return { [weak self, identifier = action.identifier] in self?.removeAction(identifiedBy: identifier, for: events)
      }
    }
  }

  extension NSObjectProtocol where Self: UIControl {
    /// Emits a value of the control: the current one, then the value at each of `events`, which the user causes.
    ///
    ///     wifi.values { $0.isOn }.map(SettingsAction.setWifi).execute(on: viewModel).disposed(by: bag)
    ///
    /// So it works for a switch, a slider, a segmented control, and a control of your own.
    ///
    /// A value that your code sets isn't emitted, but a later subscriber begins with it. To bind both ways, use
    /// ``MutableProperty/bind(edits:render:)``. Otherwise it behaves like `UIControl.events(_:)`.
    @MainActor
    public func values<Value: Sendable>(
      at events: UIControl.Event = .valueChanged, _ value: @escaping @MainActor @Sendable (Self) -> Value
    ) -> Observable<Value> {
      stream(of: self) { control, token in
        let detach = control.call(at: events) { [weak control] in
          if let control { token.send(value(control)) }
        }
        // The action is attached first, so that the stream also emits an event that the subscriber causes now.
        token.send(value(control))
        return detach
      }
    }
  }

  extension UIButton {
    /// Emits at each tap: at `.touchUpInside`, on tvOS at `.primaryActionTriggered`. Otherwise it behaves like `UIControl.events(_:)`.
    ///
    ///     signIn.taps.map { .login }.execute(on: viewModel).disposed(by: bag)
    public var taps: Observable<Void> {
      #if os(tvOS)
        events(.primaryActionTriggered)
      #else
        events(.touchUpInside)
      #endif
    }
  }

  extension UITextField {
    /// Emits the current text, and then the text at each edit of the user. A nil `text` is emitted as an empty one.
    ///
    ///     viewModel.property(\.username, set: LoginAction.setUsername)
    ///       .bind(edits: username.edits) { [weak username] in username?.text = $0 }.disposed(by: bag)
    ///
    /// Emits at each change, even if the text is the one emitted last, because your code may have set another one meanwhile. When editing
    /// begins or ends, emits only a text that differs from the last one emitted, such as an automatic correction. A text that your code
    /// sets isn't an edit, but a later subscriber begins with it. Otherwise it behaves like `UIControl.events(_:)`.
    public var edits: Observable<String> {
      stream(of: self) { field, token in
        let send: @MainActor (Bool) -> Void = { [weak field] isChange in
          if let field { token.send((text: field.text ?? "", isChange: isChange)) }
        }
        let detachments = [
          field.call(at: [.editingChanged, .valueChanged]) { send(true) },
          field.call(at: [.editingDidBegin, .editingDidEnd, .editingDidEndOnExit]) { send(false) },
        ]
        send(true)
        return { for detach in detachments { detach() } }
      }
      .distinctUntilChanged { $0.text == $1.text && !$1.isChange }.map(\.text)
    }
  }

  extension UITextView {
    /// Emits the current text, and then the text at each change that the user makes.
    ///
    /// Emits at each `textDidChangeNotification`. A text that your code sets isn't emitted, but a later subscriber begins with it.
    /// Otherwise it behaves like `UIControl.events(_:)`.
    public var edits: Observable<String> {
      stream(of: self) { textView, token in
        let changes = NotificationCenter.default.addObserver(
          forName: UITextView.textDidChangeNotification, object: textView, queue: nil
        ) { [weak textView, weak token] _ in
          MainQueue.run { if let textView, let token { token.send(textView.text ?? "") } }
        }
        textView.addInteraction(token)
        token.send(textView.text ?? "")
        return { [weak textView, weak token] in
          NotificationCenter.default.removeObserver(changes)
          if let token { textView?.removeInteraction(token) }
        }
      }
    }
  }

  /// A stream of what a view sends.
  ///
  /// - Parameter attach: Makes the view send its events to the token and retain the token, so that the stream completes when the view is
  ///   released. Returns a closure that undoes this. Neither retains the view, and nothing else retains the token.
  @MainActor
  private func stream<View: UIView, Element>(
    of view: View, _ attach: @escaping @MainActor (View, Token<Element>) -> @MainActor () -> Void
  ) -> Observable<Element> {
    .create { [weak view] observer in
      let attachment = SerialDisposable()
      MainQueue.run { [weak view] in
        guard let view else { return observer.onCompleted() }
        let detach = attach(view, Token(observer))
        attachment.replace(with: Disposables.create { MainQueue.run(detach) })
      }
      return attachment
    }
  }

  /// Sends the events of one subscription. The view retains it, so its release with the view completes the stream. It is an interaction
  /// that does nothing, because any view can retain one.
  private final class Token<Element: Sendable>: NSObject, UIInteraction {
    private let observer: AnyObserver<Element>
    private(set) weak var view: UIView?

    init(_ observer: AnyObserver<Element>) { self.observer = observer }

    func send(_ element: Element) { observer.onNext(element) }

    func willMove(to view: UIView?) {}

    func didMove(to view: UIView?) { self.view = view }

    deinit { MainQueue.run { [observer] in observer.onCompleted() } }
  }
#endif
