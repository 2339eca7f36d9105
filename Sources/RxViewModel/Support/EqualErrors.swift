/// Whether two errors are equal (contract 2.16): they have the same type, and `==` returns true for them. Errors whose type has no `==` are
/// equal if their descriptions and their stored values are. Nil equals nil. The only comparison of errors in both libraries.
package func areEqual(_ left: (any Error)?, _ right: (any Error)?) -> Bool {
  guard let left, let right else { return left == nil && right == nil }
  var compared: Set<[ObjectIdentifier]> = []
  return (left is any Equatable || "\(left)" == "\(right)") && areEqual(left, right, &compared)
}

/// Whether two values are equal: by `==` if their type has it, otherwise by their stored values.
///
/// - Parameter compared: The pairs of objects whose comparison has begun, and needn't begin again. An object may contain itself.
private func areEqual(_ left: Any, _ right: Any, _ compared: inout Set<[ObjectIdentifier]>) -> Bool {
  if type(of: left) != type(of: right) { return false }
  if let left = left as? any Equatable { return left.isEqual(to: right) }
  let (first, second) = (Mirror(reflecting: left), Mirror(reflecting: right))
  if first.displayStyle == .class {
    let pair = [ObjectIdentifier(left as AnyObject), ObjectIdentifier(right as AnyObject)]
    if !compared.insert(pair).inserted { return true }
  }
  // The order of a dictionary's pairs is not part of its value.
  if first.children.isEmpty || first.displayStyle == .dictionary { return logText(of: left) == logText(of: right) }
  return first.children.count == second.children.count
    && zip(first.children, second.children).allSatisfy { areEqual($0.value, $1.value, &compared) }
}

extension Equatable {
  /// Compares with a value of any type.
  package func isEqual(to other: Any) -> Bool { self == other as? Self }
}
