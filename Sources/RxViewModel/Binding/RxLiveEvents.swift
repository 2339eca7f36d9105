/// The events of a stream that must happen once, for screens that come and go: a message, a navigation.
///
/// It may be made on any thread, so that a view model can hold it in a `let`; it is observed on the main actor. It subscribes to its
/// source when it is made, on that thread. Every event is delivered to each observer exactly once and in order, on the main actor.
/// Events that come while an observer's owner is paused wait for its resume. Events that come while there is no observer wait for
/// the next one, and so do those that no observer has been given when the last observer leaves. A new observer gets none of the
/// past otherwise. An error of the source goes to the view model's error streams.
///
/// The owners of its observers keep it alive. Its source does so only while it has an observer without an owner.
@MainActor
public final class RxLiveEvents<Element: Sendable> {
  /// An event with its number, by which the observers that wait for it know that it is the same.
  private typealias Numbered = (number: Int, element: Element)

  private let observers = LiveObservers<Queue<Numbered>>()
  /// The events that have not been given to any observer, by number: the first observer, and the first after the last one has
  /// left, gets them.
  private var ungiven: [Int: Element] = [:]
  private var lastNumber = 0
  private var ownerlessCount = 0
  private let subscription = SerialDisposable()
  /// The source's hold on this.
  private weak var anchor: Anchor?

  /// Whether anybody observes, also by way of a paused owner.
  public var hasObservers: Bool { !observers.isEmpty }

  nonisolated init(_ source: Observable<Element>, report: @escaping @Sendable (any Error) -> Void) {
    let anchor = Anchor()
    self.anchor = anchor
    subscription.replace(
      with: source.onMainActor { [weak self, anchor] event in
        // The subscription holds the anchor.
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

  /// Calls `observer` with each event while `owner` is resumed, until it is destroyed.
  ///
  /// If the owner is resumed, what has waited for an observer is delivered before this returns. The observer is removed when the
  /// result is disposed, on whatever thread, and when the owner is destroyed or released.
  public func observe(_ owner: Lifecycle, _ observer: @escaping @MainActor @Sendable (Element) -> Void)
    -> any Disposable
  {
    owner.state == .destroyed ? Disposables.create() : add(owner, observer)
  }

  /// Calls `observer` with each event, until the result is disposed, on whatever thread.
  ///
  /// What has waited for an observer is delivered before this returns.
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
    // Weak, as the owner holds this through `isRemoved` as long as it is to be delivered to.
    let (entry, disposable) = observers.add(waiting, owner: owner) { [weak self] entry in
      guard let (number, element) = entry.pending.popFirst() else { return false }
      self?.ungiven[number] = nil
      observer(element)
      return true
    } isRemoved: { [self] in
      // The owner's handler keeps this alive up to here.
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

  /// Held by the subscription to the source: holds the live events while they have an observer without an owner.
  @MainActor
  private final class Anchor {
    var held: RxLiveEvents?

    nonisolated init() {}
  }
}
