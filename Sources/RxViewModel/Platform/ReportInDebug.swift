/// Writes a line about a caller's mistake to standard error, in debug builds.
func reportInDebug(_ sentence: @autoclosure () -> String) {
  #if DEBUG
    if Taps.isQuiet { return }
    writeToStandardError("RxViewModel: \(sentence())\n")
  #endif
}
