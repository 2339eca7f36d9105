/// Delivers each event of a stream, such as a message, to each screen exactly once.
///
/// Each observer gets every event exactly once and in order, on the main actor. Events that arrive while an observer's owner is paused wait
/// until the owner resumes. A new observer first gets the events that no observer has received yet: those that arrived while there was no
/// observer, while all owners were paused, or while the observers before it left. It gets no event that another observer has received
/// before.
///
/// You can make live events on any thread, so a view model can hold them in a `let`. They subscribe to their source immediately, on that
/// thread. An error of the source goes to the error streams of the view model, or, without a view model, to standard error in a debug
/// build.
///
/// The owners of its observers keep this object alive. The source keeps it alive only while there is an observer
/// without an owner.
///
/// By default any number of events can wait. With `asLiveEvents(limit:)`, the oldest are dropped.
///
/// An event costs O(1) for each observer, or O(n) for n observers that all wait. It is kept until one observer has received it, and until
/// each observer that waits for it has received it or has left.
@MainActor
public final class RxLiveEvents<Element: Sendable> {
  private let observers = LiveObservers()
  /// The events that an observer waits for, or that none has received.
  private var events = Queue<Element>()
  /// The number of the first event in `events`, and of the first event that no observer has received. A new observer begins with the
  /// latter.
  private var (first, unreceived) = (0, 0)
  private var ownerlessCount = 0
  private let limit: Int
  private let reportDropped: @Sendable (Element) -> Void
  private let subscription = SerialDisposable()
  /// The object through which the source keeps this one alive.
  private weak var anchor: Anchor?

  /// Whether there is an observer, counting those of paused owners.
  package var hasObservers: Bool { !observers.all.isEmpty }

  nonisolated init(
    _ source: Observable<Element>, limit: Int, report: @escaping @Sendable (any Error) -> Void,
    dropped: @escaping @Sendable (Element) -> Void
  ) {
    require(limit > 0, "asLiveEvents: limit must be greater than 0")
    (self.limit, reportDropped) = (limit, dropped)
    let anchor = Anchor()
    self.anchor = anchor
    subscription.replace(
      with: source.onMainActor { [weak self, anchor] element in
        // The subscription retains the anchor.
        withExtendedLifetime(anchor) { self?.receive(element) }
        return self == nil ? .noMore : .more
      } onEnd: { error in
        if let error { report(error) }
      })
  }

  deinit { subscription.dispose() }

  /// Calls `observer` with each event, while `owner` is resumed.
  ///
  /// If the owner is resumed, this delivers the events that no observer has received before it returns. The live
  /// events remove the observer when you dispose the result, on any thread, and when the owner is destroyed or
  /// released.
  @discardableResult
  public func observe(_ owner: Lifecycle, _ observer: @escaping @MainActor @Sendable (Element) -> Void)
    -> any Disposable
  {
    owner.state == .destroyed ? Disposables.create() : add(owner, observer)
  }

  /// Calls `observer` with each event, until you dispose the result, on any thread.
  ///
  /// This delivers the events that no observer has received before it returns.
  public func observeForever(_ observer: @escaping @MainActor @Sendable (Element) -> Void) -> any Disposable {
    ownerlessCount += 1
    anchor?.held = self
    return add(nil, observer)
  }

  private func add(
    _ owner: Lifecycle?, _ observer: @escaping @MainActor @Sendable (Element) -> Void
  ) -> any Disposable {
    let isOwnerless = owner == nil
    // A weak reference is enough: while the observer can receive, its owner retains this object through `isRemoved`.
    let (entry, disposable) = observers.add(unreceived, owner: owner) { [weak self] entry in
      guard let element = self?.takeNext(of: entry) else { return false }
      observer(element)
      return true
    } isRemoved: { [self] in
      // The owner's handler retains this object until here.
      removeReceived()
      if isOwnerless { removeOwnerless() }
    }
    entry.flush()
    return disposable
  }

  /// The first event that waits for the observer, which receives it now.
  private func takeNext(of entry: LiveObservers.Entry) -> Element? {
    // The events before the first have been dropped.
    let offset = max(entry.number - first, 0)
    if offset >= events.count { return nil }
    let element = events[offset]
    entry.number = first + offset + 1
    unreceived = max(unreceived, entry.number)
    // From the end, because observers receive in their order: mostly the last one still waits.
    if offset == 0, observers.all.last(where: { $0.number <= first }) == nil { removeReceived() }
    return element
  }

  /// Removes the events that an observer has received, and for which none waits. O(n) for n observers.
  private func removeReceived() {
    let kept = observers.all.reduce(unreceived) { min($0, $1.number) }
    while first < kept { _ = removeFirst() }
  }

  private func removeFirst() -> Element? {
    first += 1
    return events.popFirst()
  }

  private func removeOwnerless() {
    ownerlessCount -= 1
    if ownerlessCount == 0 { anchor?.held = nil }
  }

  private func receive(_ element: Element) {
    events.append(element)
    if events.count > limit, let dropped = removeFirst() {
      unreceived = max(unreceived, first)
      reportDropped(dropped)
    }
    for entry in observers.all { entry.flush() }
  }

  /// Retained by the subscription to the source. Retains the live events while there is an observer without an owner.
  @MainActor
  private final class Anchor {
    var held: RxLiveEvents?

    nonisolated init() {}
  }
}
