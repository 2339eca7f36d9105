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
  if let left = left as? [AnyHashable: Any], let right = right as? [AnyHashable: Any] {
    return left.count == right.count
      && left.allSatisfy { key, value in right[key].map { areEqual(value, $0, &compared) } ?? false }
  }
  let mirror = Mirror(reflecting: left)
  if mirror.displayStyle == .class {
    let pair = [ObjectIdentifier(left as AnyObject), ObjectIdentifier(right as AnyObject)]
    if !compared.insert(pair).inserted { return true }
  }
  let (first, second) = (storedValues(mirror), storedValues(Mirror(reflecting: right)))
  if first.isEmpty { return logText(of: left) == logText(of: right) }
  return first.count == second.count
    && zip(first, second).allSatisfy { $0.label == $1.label && areEqual($0.value, $1.value, &compared) }
}

/// The stored values, with those of the superclasses. The label of an enum's payload is its case.
private func storedValues(_ mirror: Mirror) -> [Mirror.Child] {
  (mirror.superclassMirror.map(storedValues) ?? []) + mirror.children
}

extension Equatable {
  /// Compares with a value of any type.
  package func isEqual(to other: Any) -> Bool { self == other as? Self }
}
