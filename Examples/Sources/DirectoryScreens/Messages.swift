import RxViewModel

/// The messages of a tab, such as "Nickname saved". They belong to the tab, because a message outlives the screen that sends it.
public struct Messages: Sendable {
  private let sent = PublishSubject<String>()
  /// Delivers each message once, while the tab is resumed.
  public let events: RxLiveEvents<String>

  public init() {
    events = sent.asLiveEvents()
  }

  /// Sends a message. May be called from any thread.
  func send(_ text: String) { sent.onNext(text) }
}
