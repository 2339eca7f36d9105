/// A subject that replays its last elements to each new subscriber.
///
/// A new subscriber gets the last elements on its own thread, before `subscribe` returns, then every later element exactly once, even while
/// other threads send (contract 1.5). After the terminal event, a new subscriber gets the last elements and that event. A
/// subscription costs O(elements replayed).
public final class ReplaySubject<Element: Sendable>: RxSubject<Element>, @unchecked Sendable {
  /// Creates a subject without elements.
  ///
  /// - Parameter bufferSize: The maximum number of elements that it replays; 0 replays none. A negative size is a programming mistake and
  /// is trapped.
  @inlinable
  public init(bufferSize: Int) {
    require(bufferSize, atLeast: 0, "ReplaySubject: bufferSize")
    super.init(SubjectCore(SubjectState(size: bufferSize, replaysAfterEnd: true)))
  }
}
