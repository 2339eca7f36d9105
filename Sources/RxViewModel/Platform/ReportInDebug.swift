/// Writes a line about a mistake of the caller's to standard error, in debug builds.
func reportInDebug(_ sentence: @autoclosure () -> String) {
  #if DEBUG
    writeToStandardError("RxViewModel: \(sentence())\n")
  #endif
}
