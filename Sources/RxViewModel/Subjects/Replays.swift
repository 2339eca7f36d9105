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

  /// Takes the next event of a replay. Returns `.stop` when none is left.
  @inlinable
  func next(_ entry: SubjectEntry) -> DeliveryStep<Event<Element>> {
    entry.replay(of: Element.self)?.pending.next() ?? .stop
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

/// The replay to one new subscriber, on its thread. When nothing is left to replay, the subscriber becomes a member.
@usableFromInline
struct ReplayLoop<Host: SubjectHost>: DeliveryLoop {
  @usableFromInline let host: Host
  @usableFromInline let entry: SubjectEntry
  @usableFromInline let sink: Observable<Host.Element>.Sink

  @inlinable
  init(host: Host, entry: SubjectEntry, sink: @escaping Observable<Host.Element>.Sink) {
    self.host = host
    self.entry = entry
    self.sink = sink
  }

  @inlinable
  func next(_ demand: inout Demand) -> DeliveryStep<Event<Host.Element>> {
    host.withSubject { $0.nextReplayed(to: sink, entry) }
  }

  @inlinable
  func deliver(_ event: Event<Host.Element>, _ demand: inout Demand) {
    demand = forward(event, to: sink)
    if demand == .noMore { entry.dispose() }
  }

  @inlinable
  func takeReceivers(if condition: (inout DeliveryQueue<Event<Host.Element>>) -> Bool) -> Demand? {
    host.withSubject { _ in
      let replay = entry.status == .replaying ? entry.replay(of: Host.Element.self) : nil
      return replay.map { condition(&$0.pending) } == true ? .more : nil
    }
  }

  @inlinable
  var schedule: Continuation { { [host] in host.continueReplay($0) } }
}
