/// The delivery of one event. Until it is over, the delivering thread moves the members out of the ``SubjectState``.
@usableFromInline
struct SubjectDelivery<Element: Sendable> {
  @usableFromInline var members: [Subscriber<Element>?] = []
  @usableFromInline var number: UInt64 = 0
  @usableFromInline var isForAll = true
  @usableFromInline var isTerminal = false
  /// The members that want no more events.
  @usableFromInline var leaving: [SubjectEntry] = []
  /// The element that a new one has displaced from the buffer. The caller releases it outside the lock.
  @usableFromInline var displaced: Element?

  @inlinable
  init() {}

  @inline(__always)
  @inlinable
  mutating func send(_ event: borrowing Event<Element>) {
    for index in members.indices where isWanted(index) {
      if members[index]!.sink(event) == .noMore { leaving.append(members[index]!.entry) }
    }
  }

  /// Reads the entry without retaining it, because retaining it would cost a third of a delivery.
  @inline(__always)
  @inlinable
  func isWanted(_ index: Int) -> Bool {
    guard let entry = members[index]?.unretainedEntry else { return false }
    return entry._withUnsafeGuaranteedRef { !$0.isCutOff && (isForAll || $0.since < number) }
  }
}
