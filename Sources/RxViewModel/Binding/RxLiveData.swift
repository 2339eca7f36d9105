/// Delivers the latest value of a stream to screens while they are resumed.
///
/// The live data calls its observers on the main actor, and only while their owner is resumed. It subscribes to its source when it gets its
/// first observer, disposes that subscription when the last observer leaves, and keeps the last value. An observer gets each value that
/// arrives while its owner is resumed; if several arrive while its own callback runs, it may get only the last of them. When the owner
/// resumes, the observer gets the latest value, unless it has received it already. It misses the earlier values that arrived while the
/// owner was paused: use ``RxLiveEvents`` for events that an observer must not miss. An error of the source goes to the view model's error
/// streams.
///
/// While there are observers, the source and the owners keep the live data alive. The live data keeps neither the
/// owners nor the view model alive.
@MainActor
public final class RxLiveData<Element: Sendable> {
  private let source: Observable<Element>
  private let report: @Sendable (any Error) -> Void
  private let observers = LiveObservers()
  private var subscription: SerialDisposable?
  private var number = 0

  /// The last value, or nil before the first one. O(1); does not subscribe to the source.
  public private(set) var value: Element?

  /// Whether there is an observer, counting those of paused owners.
  package var hasObservers: Bool { !observers.all.isEmpty }

  init(_ source: Observable<Element>, report: @escaping @Sendable (any Error) -> Void) {
    self.source = source
    self.report = report
  }

  /// Calls `observer` with the latest value and each later one, while `owner` is resumed.
  ///
  /// If the owner is resumed, this delivers the last value, or the value that the source replays, before it returns. The live data removes
  /// the observer when you dispose the result, on any thread, and when the owner is destroyed or released. The first observer subscribes to
  /// the source.
  @discardableResult
  public func observe(_ owner: Lifecycle, _ observer: @escaping @MainActor @Sendable (Element) -> Void)
    -> any Disposable
  {
    owner.state == .destroyed ? Disposables.create() : add(owner, observer)
  }

  /// Calls `observer` with the latest value and each later one, until you dispose the result, on any thread. Otherwise it behaves like
  /// ``observe(_:_:)`` with an owner that is always resumed.
  public func observeForever(_ observer: @escaping @MainActor @Sendable (Element) -> Void) -> any Disposable {
    add(nil, observer)
  }

  private func add(
    _ owner: Lifecycle?, _ observer: @escaping @MainActor @Sendable (Element) -> Void
  ) -> any Disposable {
    let (entry, disposable) = observers.add(0, owner: owner) { [weak self] entry in
      guard let self, let value, entry.number < number else { return false }
      entry.number = number
      observer(value)
      return true
    } isRemoved: { [self] in
      if observers.all.isEmpty { disconnect() }
    }
    if subscription == nil { connect() }
    entry.flush()
    return disposable
  }

  private func connect() {
    let slot = SerialDisposable()
    subscription = slot
    slot.replace(
      with: source.onMainActor { [self] element in
        // If this subscription is not the current one, the last observer has left, and new observers may have subscribed again.
        guard subscription === slot else { return .noMore }
        // The old value is released after the access to `value` has ended.
        var last: Element? = element
        swap(&last, &value)
        number += 1
        for entry in observers.all { entry.flush() }
        return subscription === slot ? .more : .noMore
      } onEnd: { [self] error in
        if let error, subscription === slot { report(error) }
      })
  }

  private func disconnect() {
    let last = subscription
    subscription = nil
    last?.dispose()
  }
}
