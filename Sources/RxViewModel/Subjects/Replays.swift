/// The elements that a subject replays, and the new subscribers that are receiving them.
@usableFromInline
struct Replays<Element: Sendable> {
  @usableFromInline var buffer: ReplayBuffer<Element>
  /// The subscribers, linked by `nextReplaying`: usually at most one.
  @usableFromInline var first: SubjectEntry?

  @inlinable
  init(_ buffer: ReplayBuffer<Element>) {
    self.buffer = buffer
  }

  @inlinable
  mutating func begin(_ entry: SubjectEntry) {
    entry.status = .replaying
    entry.nextReplaying = first
    first = entry
    if buffer.latest != nil { return }
    for element in buffer.elements.dropFirst() { entry.append(.next(element)) }
  }

  /// Adds an event to those that the subscribers have yet to receive.
  @inlinable
  func append(_ event: borrowing Event<Element>, number: UInt64) {
    var next = first
    while let entry = next {
      if entry.since < number { entry.append(copy event) }
      next = entry.nextReplaying
    }
  }

  /// O(subscribers that are receiving the buffer).
  @inlinable
  mutating func end(_ entry: SubjectEntry) {
    entry.replay = nil
    if first === entry { first = entry.nextReplaying }
    var previous = first
    while let other = previous {
      if other.nextReplaying === entry { other.nextReplaying = entry.nextReplaying }
      previous = other.nextReplaying
    }
    entry.nextReplaying = nil
  }
}
