/// The origin of an element of the new list, in the size of an `Int`.
///
/// An element is new, or it continues the element at a position of the old list. In the second case it has kept its place relative to its
/// neighbors or has moved, and its contents are equal or updated.
@usableFromInline
struct Origin: Equatable {
  /// The position and, in the lowest bit, whether the contents are updated; all bits inverted for a moved element.
  @usableFromInline var bits: Int

  @inlinable
  init(bits: Int) {
    self.bits = bits
  }

  /// An element that has kept its place.
  @inlinable
  init(keptFrom position: Int, isUpdated: Bool) {
    bits = position << 1 | (isUpdated ? 1 : 0)
  }

  /// An element that has moved.
  @inlinable
  init(movedFrom position: Int, isUpdated: Bool) {
    bits = ~(position << 1 | (isUpdated ? 1 : 0))
  }

  /// A new element.
  @inlinable
  static var none: Origin { Origin(bits: .min) }

  @inlinable
  var isNone: Bool { bits == .min }

  @inlinable
  var isKept: Bool { bits >= 0 }

  @inlinable
  var isMoved: Bool { bits < 0 && bits != .min }

  /// The position in the old list. Precondition: the element is not new.
  @inlinable
  var position: Int { (bits >= 0 ? bits : ~bits) >> 1 }

  @inlinable
  var isUpdated: Bool { !isNone && (bits >= 0 ? bits : ~bits) & 1 == 1 }

  /// Turns a kept element into a moved one.
  @inlinable
  mutating func markMoved() {
    bits = ~bits
  }
}
