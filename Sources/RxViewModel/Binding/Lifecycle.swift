/// The state of a screen, which decides whether ``RxLiveData`` and ``RxLiveEvents`` call the screen's observers.
///
/// Give each screen one. Call ``resume()`` when the screen appears, ``pause()`` when it disappears, and ``destroy()`` at the end. Releasing
/// a lifecycle counts as destroying it.
@MainActor
public final class Lifecycle {
  /// The states of a screen.
  public enum State: Sendable {
    /// The screen's observers are not called. The initial state.
    case paused
    /// The screen's observers are called.
    case resumed
    /// The screen's observers have been removed. The state doesn't change any more.
    case destroyed
  }

  typealias Handler = @MainActor @Sendable (State) -> Void
  /// A weak reference.
  typealias Target = @Sendable () -> (any AnyObject & Sendable)?

  /// The current state of the screen.
  public private(set) var state = State.paused
  private var handlers: [Int: (handler: Handler, target: Target?)] = [:]
  private var lastKey = 0
  /// The changes that a handler makes wait until all handlers have got the change before.
  private var changes = Mailbox<State>()
  /// The number of handlers at which ``bind(_:)`` looks for view models that have been released.
  private var handlerLimit = 16

  /// Makes a paused lifecycle without observers.
  public init() {}

  /// Calls the observers from now on, first with the values and events that have waited for them. Does nothing if it is resumed already, or
  /// after ``destroy()``.
  public func resume() { change(to: .resumed) }

  /// Calls no observer until ``resume()``. Does nothing if it is paused already, or after ``destroy()``.
  public func pause() { change(to: .paused) }

  /// Removes the observers. You can't resume the lifecycle again. Another call does nothing.
  public func destroy() { change(to: .destroyed) }

  private func change(to new: State) {
    if state == new || state == .destroyed { return }
    state = new
    if !changes.accept(new) { return }
    var change: State? = new
    while let new = change {
      // An earlier handler may remove a later one.
      for key in handlers.keys.sorted() { handlers[key]?.handler(new) }
      if new == .destroyed { for key in handlers.keys { removeHandler(key) } }
      change = changes.next()
    }
  }

  /// Calls `handler` at each change of the state. Handlers are called in the order of adding. Returns the key for
  /// ``removeHandler(_:)``.
  ///
  /// - Parameter target: An object that stays alive until the handler has run, even if it is released on another thread meanwhile. Nil if
  ///   the handler needs none.
  func addHandler(for target: Target? = nil, _ handler: @escaping Handler) -> Int {
    lastKey += 1
    handlers[lastKey] = (handler, target)
    return lastKey
  }

  func removeHandler(_ key: Int) {
    // The captured objects of the handler are released after the access to `handlers` has ended.
    withExtendedLifetime(handlers.removeValue(forKey: key)) {}
  }

  /// Removes the handlers whose targets have been released, each time that the number of handlers has doubled. So a bind takes O(1),
  /// amortized.
  private func removeHandlersWithoutTarget() {
    if handlers.count < handlerLimit { return }
    for (key, entry) in handlers where entry.target != nil && entry.target?() == nil { removeHandler(key) }
    handlerLimit = max(16, handlers.count * 2)
  }

  deinit {
    let (handlers, targets) = (handlers, handlers.values.compactMap { $0.target?() })
    if handlers.isEmpty { return }
    MainQueue.run {
      for key in handlers.keys.sorted() { handlers[key]?.handler(.destroyed) }
      withExtendedLifetime(targets) {}
    }
  }
}

extension Lifecycle {
  private static var lastScreen: UInt64 = 0

  /// Resumes and pauses `viewModel` with this screen: the view model calls its `onResume` and `onPause`.
  ///
  /// If the screen is resumed now, the view model is resumed immediately. The end of the screen counts as a pause. You can bind several
  /// view models; the lifecycle resumes and pauses them in the order of binding. You can bind one view model to several lifecycles; it is
  /// resumed while at least one of them is. The lifecycle holds the view model weakly, and later calls of `bind` release the memory for
  /// those that have ended. Disposing the result, on any thread, unbinds the view model, which counts as a pause.
  @discardableResult
  public func bind<Action, State>(_ viewModel: RxViewModel<Action, State>) -> any Disposable {
    if state == .destroyed { return Disposables.create() }
    removeHandlersWithoutTarget()
    Self.lastScreen += 1
    let screen = Self.lastScreen
    let target: Target = { [weak viewModel] in viewModel }
    let key = addHandler(for: target) { [weak viewModel] state in
      guard let viewModel else { return }
      viewModel.engine.post(state == .resumed ? .resume(screen) : .pause(screen))
    }
    if state == .resumed { viewModel.engine.post(.resume(screen)) }
    return Disposables.create { [weak self, weak viewModel] in
      // A pause keeps the view model alive, also on its way to the main actor.
      MainQueue.run { [viewModel] in
        self?.removeHandler(key)
        viewModel?.engine.post(.pause(screen))
      }
    }
  }
}
