/// Delivers each event of a stream, such as a message, to each screen exactly once.
///
/// You may make live events on any thread, so a view model can hold them in a `let`. They subscribe to their source at once, on the thread
/// that makes them. Each observer gets every event exactly once and in order, on the main actor. Events that arrive while an observer's
/// owner is paused wait until the owner resumes. A new observer first gets the events that no observer has received yet, whatever other
/// observers there are: the events that have arrived while there was no observer, while all owners were paused, or while the observers
/// before it left. It gets no event that another observer has received before. An error of the source goes to the error streams of the
/// view model, or, without a view model, to standard error in a debug build.
///
/// The owners of its observers keep this object alive. The source keeps it alive only while there is an observer
/// without an owner.
///
/// An event costs O(1) per observer, amortized. It is kept until the last observer that waits for it has received it or has left, and at
/// least until one observer has received it.
@MainActor
public final class RxLiveEvents<Element: Sendable> {
  /// Each observer has the events that it has not received yet.
  private let observers = LiveObservers<Queue<Element>>()
  /// The events that no observer has received. They are the last events in the queue of each observer: a new observer begins with them, and
  /// an observer that receives one of them has received those before it.
  private var unreceived = Queue<Element>()
  private var ownerlessCount = 0
  private let subscription = SerialDisposable()
  /// The object through which the source keeps this one alive.
  private weak var anchor: Anchor?

  /// Whether there is an observer, counting those of paused owners.
  public var hasObservers: Bool { !observers.isEmpty }

  nonisolated init(_ source: Observable<Element>, report: @escaping @Sendable (any Error) -> Void) {
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

  deinit {
    subscription.dispose()
  }

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
      if isOwnerless { removeOwnerless() }
    }
    entry.flush()
    return disposable
  }

  /// The first event that waits for the observer, which receives it now.
  private func takeNext(of entry: LiveObservers<Queue<Element>>.Entry) -> Element? {
    // The queue of the observer still retains the event, so this releases no object of the user's.
    if entry.pending.count == unreceived.count { _ = unreceived.popFirst() }
    return entry.pending.popFirst()
  }

  private func removeOwnerless() {
    ownerlessCount -= 1
    if ownerlessCount == 0 { anchor?.held = nil }
  }

  private func receive(_ element: Element) {
    unreceived.append(element)
    let entries = observers.all
    for entry in entries { entry.pending.append(element) }
    for entry in entries { entry.flush() }
  }

  /// Retained by the subscription to the source. Retains the live events while there is an observer without an owner.
  @MainActor
  private final class Anchor {
    var held: RxLiveEvents?

    nonisolated init() {}
  }
}
