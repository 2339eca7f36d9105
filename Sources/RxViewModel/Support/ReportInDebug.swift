/// Writes a line about a caller's mistake to standard error, in debug builds.
package func reportInDebug(_ sentence: @autoclosure () -> String) {
  #if DEBUG
    if Taps.isQuiet { return }
    writeToStandardError("RxViewModel: \(sentence())\n")
  #endif
}

#if DEBUG
  /// Reports an error of a stream that its subscriber does not handle.
  @usableFromInline
  func reportUnhandled<Element>(_ error: any Error, by caller: String, of type: Element.Type) {
    reportInDebug("a stream of \(type) failed, and its \(caller) doesn't handle the error: \(error)")
  }
#else
  /// Empty and inlinable, so that it leaves nothing in a release build.
  @inlinable
  func reportUnhandled<Element>(_ error: any Error, by caller: String, of type: Element.Type) {}
#endif
