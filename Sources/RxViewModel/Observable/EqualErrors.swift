/// Whether two errors are equal (contract 2.16): they have the same type, and `==` returns true for them. Errors whose type has no `==` are
/// equal if their descriptions are. Nil equals nil. The only comparison of errors in both libraries.
package func areEqual(_ left: (any Error)?, _ right: (any Error)?) -> Bool {
  func isEqual<E: Equatable>(_ left: E, _ right: Any) -> Bool { left == right as? E }
  guard let left, let right else { return left == nil && right == nil }
  if type(of: left) != type(of: right) { return false }
  if let left = left as? any Equatable { return isEqual(left, right) }
  return "\(left)" == "\(right)"
}
