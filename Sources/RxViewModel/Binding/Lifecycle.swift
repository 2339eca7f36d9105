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
      for (_, handler) in handlers { handler(.destroyed) }
    }
  }
}
