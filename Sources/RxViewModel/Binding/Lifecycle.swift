/// Whether a screen is there to be updated: what ``RxLiveData`` and ``RxLiveEvents`` ask before they call its observers.
///
/// A screen has one, resumes it when it appears, pauses it when it disappears and destroys it when it goes. One that is released
/// counts as destroyed.
@MainActor
public final class Lifecycle {
  /// What a screen can be.
  public enum State: Sendable {
    /// Nothing is delivered. The first state.
    case paused
    /// Everything is delivered.
    case resumed
    /// Nothing is delivered any more, and the observers are gone.
    case destroyed
  }

  typealias Handler = @MainActor @Sendable (State) -> Void

  /// What the screen is now.
  public private(set) var state = State.paused
  private var handlers: [Int: Handler] = [:]
  private var lastKey = 0

  /// A paused lifecycle without observers.
  public init() {}

  /// Observers are called from now on, and get first what has waited for them. Does nothing after ``destroy()``.
  public func resume() {
    change(to: .resumed)
  }

  /// Observers are not called until ``resume()``. Does nothing after ``destroy()``.
  public func pause() {
    change(to: .paused)
  }

  /// Removes the observers, for good.
  public func destroy() {
    change(to: .destroyed)
  }

  private func change(to new: State) {
    if state == new || state == .destroyed { return }
    state = new
    for (key, _) in handlers.sorted(by: { $0.key < $1.key }) {
      // An earlier one may have removed it, or changed the state again.
      handlers[key]?(state)
    }
    if state == .destroyed { handlers = [:] }
  }

  /// Calls `handler` at each change, in the order of adding; the key is for ``removeHandler(_:)``.
  func addHandler(_ handler: @escaping Handler) -> Int {
    lastKey += 1
    handlers[lastKey] = handler
    return lastKey
  }

  func removeHandler(_ key: Int) {
    handlers[key] = nil
  }

  deinit {
    let handlers = handlers
    if handlers.isEmpty { return }
    MainQueue.run {
      for (_, handler) in handlers.sorted(by: { $0.key < $1.key }) { handler(.destroyed) }
    }
  }
}

extension Lifecycle {
  private static var lastScreen: UInt64 = 0

  /// Tells `viewModel` when this screen is resumed and paused, now if it is resumed; the end of the screen pauses.
  ///
  /// Holds the view model weakly. Several calls bind several view models, which are told in that order. One view model may be bound to
  /// several lifecycles, and is resumed while one of them is. Disposing the result, on any thread, unbinds, which pauses.
  @discardableResult
  public func bind<Action, State>(_ viewModel: RxViewModel<Action, State>) -> any Disposable {
    if state == .destroyed { return Disposables.create() }
    Self.lastScreen += 1
    let screen = ScreenID.bound(Self.lastScreen)
    let key = addHandler { [weak viewModel] state in
      viewModel?.engine.send(state == .resumed ? .resume(screen) : .pause(screen))
    }
    if state == .resumed { viewModel.engine.send(.resume(screen)) }
    return Disposables.create { [weak self, weak viewModel] in
      MainQueue.run {
        self?.removeHandler(key)
        viewModel?.engine.send(.pause(screen))
      }
    }
  }
}
