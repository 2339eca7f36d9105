/// Traps with `sentence` on standard error unless `condition` holds, in release builds too.
///
/// For a caller's mistakes. In optimized builds, the standard library's `precondition` traps without a message.
@usableFromInline
package func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
  if !condition { fatalError(sentence()) }
}

/// Traps with the name of an argument that is below the least value that makes sense. The one rule for the arguments of the library.
@usableFromInline
package func require<Value: Comparable>(_ argument: Value, atLeast least: Value, _ name: String) {
  require(argument >= least, "\(name) must be at least \(least), and is \(argument)")
}
