/// The latest value of a stream, for screens that come and go.
///
/// It subscribes to its source when it gets its first observer, disposes that subscription when the last one has left, and keeps the
/// last value. An observer is called on the main actor, only while its owner is resumed: with the values that come, and at the
/// owner's resume with the latest, if it has not seen it. Values that come while it is paused are overwritten by later ones: use
/// ``RxLiveEvents`` for what must not be missed. An error of the source goes to the view model's error streams.
///
/// While it has observers, its source and their owners keep it alive; it keeps neither them nor the view model.
@MainActor
public final class RxLiveData<Element: Sendable> {
  private let source: Observable<Element>
  private let report: @Sendable (any Error) -> Void
  /// Pending is the number of the value that an observer has seen.
  private let observers = LiveObservers<Int>()
  private var subscription: SerialDisposable?
  private var number = 0

  /// The value that came last.
  public private(set) var value: Element?

  /// Whether anybody observes, also by way of a paused owner.
  public var hasObservers: Bool { !observers.isEmpty }

  init(_ source: Observable<Element>, report: @escaping @Sendable (any Error) -> Void) {
    self.source = source
    self.report = report
  }

  /// Calls `observer` with the latest value and each later one while `owner` is resumed, until it is destroyed.
  ///
  /// If the owner is resumed, a value that is there, or that the source replays, is delivered before this returns. The observer is
  /// removed when the result is disposed, on whatever thread, and when the owner is destroyed or released.
  public func observe(_ owner: Lifecycle, _ observer: @escaping @MainActor @Sendable (Element) -> Void)
    -> any Disposable
  {
    owner.state == .destroyed ? Disposables.create() : add(owner, observer)
  }

  /// Calls `observer` with the latest value and each later one, until the result is disposed.
  public func observeForever(_ observer: @escaping @MainActor @Sendable (Element) -> Void) -> any Disposable {
    add(nil, observer)
  }

  private func add(
    _ owner: Lifecycle?, _ observer: @escaping @MainActor @Sendable (Element) -> Void
  ) -> any Disposable {
    let (entry, disposable) = observers.add(0, owner: owner) { [weak self] entry in
      guard let self, let value, entry.pending < number else { return false }
      entry.pending = number
      observer(value)
      return true
    } isRemoved: { [self] in
      if observers.isEmpty { disconnect() }
    }
    if subscription == nil { connect() }
    entry.flush()
    return disposable
  }

  private func connect() {
    let slot = SerialDisposable()
    subscription = slot
    slot.replace(
      with: source.onMainActor { [self] event in
        // Its last observer has left, or others have come since.
        guard subscription === slot else { return .noMore }
        switch event {
        case .next(let element):
          value = element
          number += 1
          for entry in observers.all { entry.flush() }
        case .error(let error): report(error)
        case .completed: break
        }
        return subscription === slot ? .more : .noMore
      })
  }

  private func disconnect() {
    let last = subscription
    subscription = nil
    last?.dispose()
  }
}
