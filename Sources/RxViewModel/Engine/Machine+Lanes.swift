extension Machine {
  /// The lanes that have unfinished actions.
  @usableFromInline
  struct Lanes {
    /// The lane used last, perhaps an empty one. Most screens use one lane at a time, so they never hash its name.
    @usableFromInline var recent: Lane?
    /// The other lanes. None of them is empty.
    @usableFromInline var others: [Lane.Key: Lane] = [:]

    @inlinable
    init() {}

    /// The lane of a mode: O(1).
    @inlinable
    mutating func lane(for mode: ExecutionMode) -> Lane {
      let key = Lane.Key(mode)
      if let recent, recent.key == key { return recent }
      if !others.isEmpty, let lane = others.removeValue(forKey: key) {
        keepRecent()
        recent = lane
        return lane
      }
      if let recent, recent.isEmpty {
        recent.key = key
        return recent
      }
      keepRecent()
      let lane = Lane(key)
      recent = lane
      return lane
    }

    /// Removes a lane that has become empty.
    @inlinable
    mutating func remove(_ lane: Lane) {
      if lane === recent { return }
      others[lane.key] = nil
      if others.isEmpty, others.capacity > 64 { others = [:] }
    }

    @inlinable
    mutating func keepRecent() {
      if let recent, !recent.isEmpty { others[recent.key] = recent }
    }
  }
}

extension ActionLane.Key {
  @inlinable
  init(_ mode: ExecutionMode) {
    switch mode.kind {
    case .parallelOrdered, .parallelDeferred: self = .ordered
    case .parallel, .sequence, .switchLatest, .dropWhileBusy:
      self = mode.lane.map { .named($0) } ?? .standard(mode.kind)
    }
  }
}
