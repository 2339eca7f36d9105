/// Traps with `sentence` on standard error unless `condition` holds, in release builds too.
///
/// For a caller's mistakes. In optimized builds, the standard library's `precondition` traps without a message.
@usableFromInline
package func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
  if !condition { fatalError(sentence()) }
}
