/// Steele, Lea and Flood's SplitMix64 (2014): random numbers that a seed repeats.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 to `bound` - 1, with a bias below `bound` / 2⁶⁴.
  mutating func next(below bound: UInt64) -> UInt64 { next().multipliedFullWidth(by: bound).high }
}
