/// A subject that sends each event to its current subscribers, and replays nothing. After the terminal event, a new subscriber gets that
/// event immediately.
public final class PublishSubject<Element: Sendable>: RxSubject<Element>, @unchecked Sendable {
  /// Creates a subject without subscribers.
  @inlinable
  public init() { super.init(SubjectCore()) }
}
