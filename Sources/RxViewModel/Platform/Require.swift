/// Traps with `sentence` on standard error unless `condition` holds, in release builds too.
///
/// For a caller's mistakes. The standard library's `precondition` traps in silence once it is optimised.
@usableFromInline
package func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
  if !condition { fatalError(sentence()) }
}
