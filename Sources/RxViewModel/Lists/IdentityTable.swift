/// Finds positions of the old list by identity.
///
/// A hash table with open addressing. It stores positions and parts of hashes, but no elements: the caller compares identities in the list
/// itself. So the table neither retains nor copies elements, and its storage is one array of integers.
///
/// An identity may occur several times. The table then holds its first position, and `following` leads from each
/// position to the next with the same identity.
@usableFromInline
struct IdentityTable {
  /// A free slot is 0. A used slot has a position plus one in its low bits, and bits of the hash in the others. Slots have 32 bits so that
  /// more of them fit into the cache, because with 100,000 items cache misses dominate the time.
  @usableFromInline var slots: [UInt32]
  /// The mask of a slot's low bits, as many as a position needs.
  @usableFromInline let positionMask: UInt32
  /// The next position with the same identity, or -1; empty until an identity occurs twice.
  @usableFromInline var following: [Int] = []
  /// While the table is filled, at the index of an identity's first position: its last position. Afterwards: the first position that may
  /// still be claimed, or -1.
  @usableFromInline var cursors: [Int] = []
  @usableFromInline let count: Int

  /// Creates an empty table for the positions below `count`, which is less than 2³².
  @usableFromInline
  init(count: Int) {
    self.count = count
    positionMask = UInt32.max >> UInt32(count).leadingZeroBitCount
    // At most two thirds full, with at least one free slot, which ends a search.
    var slotCount = 4
    while slotCount < count + count / 2 { slotCount *= 2 }
    slots = [UInt32](repeating: 0, count: slotCount)
  }

  /// Whether some identity occurs more than once.
  @inlinable
  var hasDuplicates: Bool { !following.isEmpty }

  /// The hash of an identity, as ``add(_:hash:isSame:)`` and ``firstPosition(hash:isSame:)`` take it.
  @inlinable
  static func hash(of identity: some Hashable) -> UInt32 {
    // The low bits select the slot. A user's own `hashValue` may have equal low bits, so this mixes the bits: the product mixes them
    // upwards, and its upper half mixes them back.
    let product = UInt(bitPattern: identity.hashValue) &* 0x9E37_79B9
    return UInt32(truncatingIfNeeded: product ^ product >> UInt(UInt.bitWidth / 2))
  }

  /// Adds a position, which must be greater than those added before. `isSame` compares its identity with the one at an earlier position.
  @inlinable
  mutating func add(_ position: Int, hash: UInt32, isSame: (Int) -> Bool) {
    let tag = hash & ~positionMask
    var index = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while true {
      let slot = slots[index]
      if slot == 0 { break }
      let earlier = Int(slot & positionMask) - 1
      if slot & ~positionMask == tag, isSame(earlier) { return addDuplicate(position, of: earlier) }
      index = (index + 1) & (slots.count - 1)
    }
    slots[index] = tag | UInt32(position + 1)
  }

  @usableFromInline
  mutating func addDuplicate(_ position: Int, of first: Int) {
    if following.isEmpty {
      following = [Int](repeating: -1, count: count)
      cursors = Array(0..<count)
    }
    following[cursors[first]] = position
    cursors[first] = position
  }

  /// The first position of an identity, or -1. `isSame` compares the identity with the one at a position.
  @inlinable
  func firstPosition(hash: UInt32, isSame: (Int) -> Bool) -> Int {
    let tag = hash & ~positionMask
    var index = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while true {
      let slot = slots[index]
      if slot == 0 { return -1 }
      let position = Int(slot & positionMask) - 1
      if slot & ~positionMask == tag, isSame(position) { return position }
      index = (index + 1) & (slots.count - 1)
    }
  }

  /// Resets the cursors to the first positions. Called once the table is filled, and again before claims in any position.
  @usableFromInline
  mutating func rewind() {
    for position in cursors.indices { cursors[position] = position }
  }

  /// Returns the next free position in `range` of the identity that occurs first at `first`, or -1. The ranges of successive calls must
  /// ascend. A position is free while it has no target.
  @inlinable
  mutating func claim(first: Int, in range: Range<Int>, targets: [Int]) -> Int {
    if hasDuplicates { return claimDuplicate(first: first, in: range) }
    return range.contains(first) && targets[first] < 0 ? first : -1
  }

  /// Returns the next free position, in the whole list, of the identity that occurs first at `first`, or -1.
  @inlinable
  mutating func claim(first: Int, targets: [Int]) -> Int {
    if hasDuplicates { return claimDuplicate(first: first, targets: targets) }
    return targets[first] < 0 ? first : -1
  }

  @usableFromInline
  mutating func claimDuplicate(first: Int, in range: Range<Int>) -> Int {
    var position = cursors[first]
    while position >= 0, position < range.lowerBound { position = following[position] }
    guard position >= 0, position < range.upperBound else {
      cursors[first] = position
      return -1
    }
    cursors[first] = following[position]
    return position
  }

  @usableFromInline
  mutating func claimDuplicate(first: Int, targets: [Int]) -> Int {
    var position = cursors[first]
    while position >= 0, targets[position] >= 0 { position = following[position] }
    cursors[first] = position < 0 ? -1 : following[position]
    return position
  }
}
