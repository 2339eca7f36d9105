import Testing

#if os(macOS) || os(Linux)
  /// The lines that the library has written to standard error in an exit test. Only debug builds write them.
  ///
  /// A test that provokes such a line runs in a process of its own, so that a run of all tests does not print it.
  func reports(_ result: ExitTest.Result?) -> [String] {
    standardError(of: result).split(separator: "\n").map(String.init).filter { $0.hasPrefix("RxViewModel: ") }
  }

  /// What an exit test has written to standard error.
  func standardError(of result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  /// The expected lines: none in a release build of the library.
  func inDebugBuilds(_ lines: String...) -> [String] {
    #if DEBUG && !OPTIMIZED_LIBRARY
      return lines
    #else
      return []
    #endif
  }
#endif
