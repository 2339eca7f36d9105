import RxViewModel

/// How a failure that no call can throw reaches the test in which a store was made.
///
/// The kit links neither framework. It finds their functions by their symbols in the running process.
enum TestFramework {
  /// The store was made in a test of Swift Testing.
  case swiftTesting(SwiftTesting)
  /// The store was made in a process that runs XCTest.
  case xctest(XCTest)
  /// The store was made elsewhere.
  case none

  /// The framework that runs the caller.
  static func current() -> TestFramework {
    if let testing = SwiftTesting.loaded, testing.testID != nil { return .swiftTesting(testing) }
    // A process in which SwiftPM runs Swift Testing has XCTest loaded, too.
    if let xctest = XCTest.loaded, !CommandLine.arguments.contains("swift-testing") { return .xctest(xctest) }
    return .none
  }

  /// Fails the test, with the place of the failure. Without a framework, writes the failure to standard error, and traps.
  ///
  /// Swift Testing fails the test whose task calls this, and the run outside a test. XCTest fails the test method that runs now. It
  /// ignores a failure while none runs, so the failure stands on standard error, too.
  func report(_ failure: TestFailure) {
    switch self {
    case .swiftTesting(let testing): testing.record(failure.description, at: failure.place)
    case .xctest(let xctest):
      writeToStandardError("TestStore: \(failure)\n")
      xctest.fail(failure.description, at: failure.place)
    case .none: fatalError("TestStore: \(failure)")
    }
  }
}

/// The functions of Swift Testing, as it is loaded in this process.
struct SwiftTesting: @unchecked Sendable {  // Sendable: it holds addresses of functions, and types.
  private let test, comment, location, issue: Any.Type
  private let currentTest, makeComment, makeLocation, recordIssue: SwiftFunction

  static let loaded = SwiftTesting()

  private init?() {
    guard
      // Only a library with a stable interface exports this one. It passes the four types by their addresses, as the calls below do.
      SwiftFunction("$s7Testing5TraitP8commentsSayAA7CommentVGvgTj") != nil,
      let test = _typeByName("7Testing4TestV"), let comment = _typeByName("7Testing7CommentV"),
      let location = _typeByName("7Testing14SourceLocationV"), let issue = _typeByName("7Testing5IssueV"),
      let currentTest = SwiftFunction("$s7Testing4TestV7currentACSgvgZ"),
      let makeComment = SwiftFunction("$s7Testing7CommentV8rawValueACSS_tcfC"),
      let makeLocation = SwiftFunction("$s7Testing14SourceLocationV6fileID0D4Path4line6columnACSS_SSS2itcfC"),
      let recordIssue = SwiftFunction("$s7Testing5IssueV6record_14sourceLocationAcA7CommentVSg_AA06SourceE0VtFZ")
    else { return nil }
    (self.test, self.comment, self.location, self.issue) = (test, comment, location, issue)
    (self.currentTest, self.makeComment) = (currentTest, makeComment)
    (self.makeLocation, self.recordIssue) = (makeLocation, recordIssue)
  }

  /// The `id` of `Test.current`. Nil if the caller's task belongs to no test.
  var testID: AnyHashable? { testID(test) }

  private func testID<Test>(_: Test.Type) -> AnyHashable? {
    (currentTest.as(CurrentTest<Test>.self).call() as? any Identifiable).map { id(of: $0) }
  }

  private func id(of test: some Identifiable) -> AnyHashable { AnyHashable(test.id) }

  /// Calls `Issue.record`.
  func record(_ text: String, at place: TestFailure.Place) { record(text, place, comment, location, issue) }

  private func record<Comment, Location, Issue>(
    _ text: String, _ place: TestFailure.Place, _: Comment.Type, _: Location.Type, _: Issue.Type
  ) {
    let comment = makeComment.as(MakeComment<Comment>.self).call(text)
    let location = makeLocation.as(MakeLocation<Location>.self).call(
      place.fileID, "\(place.file)", Int(max(place.line, 1)), 1)
    _ = recordIssue.as(RecordIssue<Comment, Location, Issue>.self).call(comment, location)
  }
}

/// The function of XCTest, as it is loaded in this process.
struct XCTest: @unchecked Sendable {  // Sendable: it holds the address of a function.
  private let function: SwiftFunction

  static let loaded = SwiftFunction("$s6XCTest7XCTFail_4file4lineySS_s12StaticStringVSutF").map(XCTest.init)

  /// Calls `XCTFail`.
  func fail(_ text: String, at place: TestFailure.Place) {
    function.as(Fail.self).call(text, place.file, place.line)
  }
}

/// A function with Swift's calling convention: a closure that has captured nothing.
private struct SwiftFunction {
  private let address: UnsafeMutableRawPointer
  private let context: UnsafeRawPointer? = nil

  init?(_ symbol: String) {
    guard let address = findFunction(symbol) else { return nil }
    self.address = address
  }

  /// The function as the one property of a struct, whose type has to be that of the function. As the property of a struct the closure has
  /// the convention of its own type. As a bare value it would have that of a generic argument.
  func `as`<Call>(_: Call.Type) -> Call { unsafeBitCast(self, to: Call.self) }
}

private struct CurrentTest<Test> { let call: () -> Test? }
private struct MakeComment<Comment> { let call: (consuming String) -> Comment }
private struct MakeLocation<Location> { let call: (consuming String, consuming String, Int, Int) -> Location }
private struct RecordIssue<Comment, Location, Issue> { let call: (Comment?, Location) -> Issue }
private struct Fail { let call: (String, StaticString, UInt) -> Void }
