/// Delivers each event of a stream, such as a message, to each screen exactly once.
///
/// You may make live events on any thread, so a view model can hold them in a `let`. They subscribe to their source at once, on the thread
/// that makes them. Each observer gets every event exactly once and in order, on the main actor. Events that arrive while an observer's
/// owner is paused wait until the owner resumes. A new observer gets no earlier events, with one exception: events that no observer has
/// received wait for the next observer. Those are the events that arrive while there is no observer, and the events that no observer had
/// received when the last one left. An error of the source goes to the error streams of the view model, or, without a view model, to
/// standard error in a debug build.
///
/// The owners of its observers keep this object alive. The source keeps it alive only while there is an observer
/// without an owner.
@MainActor
public final class RxLiveEvents<Element: Sendable> {
  /// An event and its number, which identifies the event in the queues of several observers.
  private typealias Numbered = (number: Int, element: Element)

  private let observers = LiveObservers<Queue<Numbered>>()
  /// The events that no observer has received, by number. The first observer gets them, and so does the first one after
  /// the last has left.
  private var ungiven: [Int: Element] = [:]
  private var lastNumber = 0
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
      with: source.onMainActor { [weak self, anchor] event in
        // The subscription retains the anchor.
        withExtendedLifetime(anchor) {
          switch event {
          case .next(let element): self?.receive(element)
          case .error(let error): report(error)
          case .completed: break
          }
          return self == nil ? .noMore : .more
        }
      })
  }

  deinit {
    subscription.dispose()
  }

  /// Calls `observer` with each event, while `owner` is resumed.
  ///
  /// If the owner is resumed, this delivers the events that have waited for an observer before it returns. The live
  /// events remove the observer when you dispose the result, on any thread, and when the owner is destroyed or
  /// released.
  public func observe(_ owner: Lifecycle, _ observer: @escaping @MainActor @Sendable (Element) -> Void)
    -> any Disposable
  {
    owner.state == .destroyed ? Disposables.create() : add(owner, observer)
  }

  /// Calls `observer` with each event, until you dispose the result, on any thread.
  ///
  /// This delivers the events that have waited for an observer before it returns.
  public func observeForever(_ observer: @escaping @MainActor @Sendable (Element) -> Void) -> any Disposable {
    ownerlessCount += 1
    anchor?.held = self
    return add(nil, observer)
  }

  private func add(
    _ owner: Lifecycle?, _ observer: @escaping @MainActor @Sendable (Element) -> Void
  ) -> any Disposable {
    var waiting = Queue<Numbered>()
    if observers.isEmpty {
      for (number, element) in ungiven.sorted(by: { $0.key < $1.key }) { waiting.append((number, element)) }
    }
    let isOwnerless = owner == nil
    // A weak reference is enough: while the observer can receive, its owner retains this object through `isRemoved`.
    let (entry, disposable) = observers.add(waiting, owner: owner) { [weak self] entry in
      guard let (number, element) = entry.pending.popFirst() else { return false }
      self?.ungiven[number] = nil
      observer(element)
      return true
    } isRemoved: { [self] in
      // The owner's handler retains this object until here.
      if isOwnerless { removeOwnerless() }
    }
    entry.flush()
    return disposable
  }

  private func removeOwnerless() {
    ownerlessCount -= 1
    if ownerlessCount == 0 { anchor?.held = nil }
  }

  private func receive(_ element: Element) {
    lastNumber += 1
    ungiven[lastNumber] = element
    let entries = observers.all
    for entry in entries { entry.pending.append((lastNumber, element)) }
    for entry in entries { entry.flush() }
  }

  /// Retained by the subscription to the source. Retains the live events while there is an observer without an owner.
  @MainActor
  private final class Anchor {
    var held: RxLiveEvents?

    nonisolated init() {}
  }
}
