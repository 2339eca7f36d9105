/// The subscribers that get each event of a subject as it is delivered. During a delivery the ``SubjectDelivery`` holds all but the
/// arrivals.
@usableFromInline
struct Members<Element: Sendable> {
  @usableFromInline var all: [Subscriber<Element>?] = []
  /// The members that have joined during a delivery.
  @usableFromInline var arrivals: [Subscriber<Element>?] = []
  @usableFromInline var count: Int32 = 0
  /// The number of empty places in `all` and `arrivals`.
  @usableFromInline var gaps: Int32 = 0
  /// The largest `since` of the members. All members get each event after it.
  @usableFromInline var lastSince: UInt64 = 0

  @inlinable
  init() {}

  @inlinable
  mutating func add(_ member: Subscriber<Element>, isDelivering: Bool) {
    count += 1
    lastSince = max(lastSince, member.entry.since)
    if isDelivering {
      member.entry.status = .arriving
      member.entry.index = Int32(arrivals.count)
      arrivals.append(member)
    } else {
      member.entry.status = .live
      member.entry.index = Int32(all.count)
      all.append(member)
    }
  }

  /// Ends the delivery of an event: removes those that have left, and adds the arrivals. O(members), like the delivery before it.
  ///
  /// - Parameter dropped: Those that have left. The caller releases them outside the lock.
  @inline(__always)
  @inlinable
  mutating func settle(_ delivery: inout SubjectDelivery<Element>, _ dropped: inout [Subscriber<Element>?]) {
    for entry in delivery.leaving where entry.status == .live { leave(entry) }
    if !delivery.leaving.isEmpty { delivery.leaving = [] }
    if gaps == 0, arrivals.isEmpty { return }
    for member in arrivals { member?.entry.status = .live }
    delivery.members += arrivals
    arrivals = []
    dropped = Self.compact(&delivery.members)
    gaps = 0
  }

  @inlinable
  mutating func leave(_ entry: SubjectEntry) {
    entry.status = .gone
    count -= 1
    gaps += 1
  }

  /// Moves the members that are still live to the front. Returns the others.
  @inlinable
  static func compact(_ members: inout [Subscriber<Element>?]) -> [Subscriber<Element>?] {
    var kept = 0
    for index in members.indices {
      guard let entry = members[index]?.entry, entry.status == .live else { continue }
      entry.index = Int32(kept)
      members.swapAt(kept, index)
      kept += 1
    }
    let dropped = Array(members[kept...])
    members.removeLast(members.count - kept)
    return dropped
  }

  /// Removes a member that has been disposed. O(1), amortized over as many disposed members.
  @inlinable
  mutating func remove(_ entry: SubjectEntry, isDelivering: Bool, _ dropped: inout Subscriber<Element>?) {
    let (index, isArriving) = (Int(entry.index), entry.status == .arriving)
    leave(entry)
    if isArriving {
      dropped = Self.take(index, from: &arrivals, &gaps)
    } else if !isDelivering {
      dropped = Self.take(index, from: &all, &gaps)
      if Int(gaps) * 2 > all.count {
        _ = Self.compact(&all)
        gaps = 0
      }
    }
  }

  /// Moves a member out, and removes the gaps at the end.
  @inline(__always)
  @inlinable
  static func take(_ index: Int, from members: inout [Subscriber<Element>?], _ gaps: inout Int32) -> Subscriber<
    Element
  >? {
    let member = members[index].take()
    while !members.isEmpty, members[members.count - 1] == nil {
      members.removeLast()
      gaps -= 1
    }
    return member
  }

  /// Ends the membership of all after the terminal event.
  @inlinable
  mutating func end(_ members: [Subscriber<Element>?]) {
    for member in members { member?.entry.status = .gone }
    (count, gaps) = (0, 0)
  }
}
