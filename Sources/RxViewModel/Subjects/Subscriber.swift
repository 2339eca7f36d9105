/// The delivery of an event, and then of those that arrive meanwhile. It has members only while an event is being sent.
@usableFromInline
struct SubjectDelivery<Element: Sendable> {
  /// The members at the beginning of the delivery. A subscribe or a dispose during it copies the list.
  @usableFromInline var members: [Subscriber<Element>?] = []
  /// The number of the event.
  @usableFromInline var number: UInt64 = 0
  /// The element that a new one has displaced from the buffer. The caller releases it outside the lock.
  @usableFromInline var displaced: Element?

  @inlinable
  init() {}

  /// Sends an element to those members that get it, and removes those that want no more.
  @inline(__always)
  @inlinable
  mutating func send(_ element: Element) {
    for index in members.indices where members[index]?.gets(number) ?? false {
      if members[index]!.sink.next(element) == .noMore { members[index]!.entry.dispose() }
    }
    members = []
  }

  @inlinable
  mutating func send(_ event: Event<Element>) {
    if case .next(let element) = event { return send(element) }
    for index in members.indices where members[index]?.gets(number) ?? false {
      _ = members[index]!.sink.on(event)
    }
    members = []
  }
}

/// A subscriber of a subject.
@usableFromInline
struct Subscriber<Element: Sendable> {
  @usableFromInline let sink: Sink<Element>
  @usableFromInline let entry: SubjectEntry
  /// For reading: retaining the entry would cost a third of a delivery.
  @usableFromInline let unretainedEntry: Unmanaged<SubjectEntry>

  @inlinable
  init(_ sink: Sink<Element>, _ entry: SubjectEntry) {
    (self.sink, self.entry, unretainedEntry) = (sink, entry, .passUnretained(entry))
  }

  /// Whether the event with this number is for the subscriber.
  @inline(__always)
  @inlinable
  func gets(_ number: UInt64) -> Bool { unretainedEntry._withUnsafeGuaranteedRef { $0.since < number } }
}

/// A subscriber's place in a subject. Disposing it removes the subscriber. It does not retain the sink, which retains the scope that holds
/// this.
///
/// It is not generic, and disposes through a function that captures nothing. The caller makes that function where the types are known, so
/// it is specialized. A generic method that is called through `any Disposable` would not be.
@usableFromInline
final class SubjectEntry: Disposable, @unchecked Sendable {  // Sendable: the host's lock guards the variables.
  /// The ``SubjectHost``, whose state is emptied when its owner is released, so that this entry keeps no object of the user's alive.
  @usableFromInline let host: AnyObject
  @usableFromInline let remove: @Sendable (SubjectEntry) -> Void
  /// The number of the last event that is not for this subscriber. The largest number once the delivering thread has disposed it.
  @exclusivity(unchecked) @usableFromInline var since: UInt64 = 0
  /// The key among the members. 0 before the subscriber is one.
  @exclusivity(unchecked) @usableFromInline var key: UInt64 = 0

  @inlinable
  init(host: AnyObject, remove: @escaping @Sendable (SubjectEntry) -> Void) {
    (self.host, self.remove) = (host, remove)
  }

  @usableFromInline
  func dispose() { remove(self) }
}
