#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Writes a line about a mistake of the caller's to standard error, in debug builds.
func reportInDebug(_ sentence: @autoclosure () -> String) {
  #if DEBUG
    let line = "RxViewModel: \(sentence())\n"
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
  #endif
}
