import RxViewModel
import RxViewModelTesting
import Testing

#if os(Linux)
  import Foundation
#endif

// contract 4.2
@Suite("A TestStore that is released too early fails its test") struct ForgottenInATestTests {
  private let scheduler = TestScheduler()

  private func makeStore(line: UInt = 12) -> TestStore<CatalogAction, Catalog> {
    TestStore(CatalogViewModel(scheduler), file: "/app/Tests/AppTests/ScreenTests.swift", line: line)
  }

  private func isForgotten(_ issue: Issue, line: Int = 12) -> Bool {
    issue.comments.first?.rawValue == """
      A store of CatalogViewModel was released without finish(), with something unasserted or unfinished. \
      The store was made, ScreenTests.swift:\(line):
        #1 watch dropWhileBusy: running since 0.0 seconds
      If another failure has ended the test, fix that one first: it has released the store early.
      """ && issue.sourceLocation?.line == line && issue.sourceLocation?.fileID == "AppTests/ScreenTests.swift"
  }

  /// The issues that `body` causes.
  private func issues(_ body: () throws -> Void) throws -> [Issue] {
    let issues = Locked<[Issue]>([])
    try withKnownIssue {
      try body()
    } matching: { issue in
      issues.mutate { $0.append(issue) }
      return true
    }
    return issues.value
  }

  @Test func anUnfinishedActionIsAnIssueOfTheTest() throws {
    let issues = try issues {
      let store = makeStore()
      try store.send(.watch)
    }
    #expect(issues.map { isForgotten($0) } == [true])
  }

  // The failure of a `#require` and the sentence of the store stand side by side.
  @Test func aFailingRequireDoesNotEndTheProcess() throws {
    let issues = try issues {
      let store = makeStore()
      try store.send(.watch)
      try #require(store.state.count == 1)
    }
    #expect(issues.map { isForgotten($0) } == [false, true])
  }

  @Test func ofTwoStoresTheFirstThrows() throws {
    let issues = try issues {
      let (first, second) = (TestStore(CatalogViewModel(scheduler)), makeStore())
      try second.send(.watch)
      try first.send(.increment)
    }
    #expect(issues.count == 2 && issues.filter { isForgotten($0) }.count == 1)
  }

  @Test func tenStoresAreTenIssues() throws {
    let issues = try issues {
      for line in 1...10 { try makeStore(line: UInt(line)).send(.watch) }
    }
    #expect(issues.enumerated().allSatisfy { isForgotten($1, line: $0 + 1) } && issues.count == 10)
  }

  @Test func aFileWithoutAFolderIsAllowed() throws {
    let issues = try issues {
      let store = TestStore(CatalogViewModel(scheduler), file: "ScreenTests.swift", line: 0)
      try store.send(.watch)
    }
    #expect(issues.map { $0.sourceLocation?.fileID } == ["Tests/ScreenTests.swift"])
  }

  @Test func aStoreOfAnAsynchronousTest() async throws {
    let issues = Locked<[Issue]>([])
    try await withKnownIssue {
      let store = makeStore()
      try store.send(.watch)
      await Task.yield()
    } matching: { issue in
      issues.mutate { $0.append(issue) }
      return true
    }
    #expect(issues.value.map { isForgotten($0) } == [true])
  }

  #if os(Linux)
    /// Runs tests of this process's executable in another process, where stores may be forgotten.
    private func run(_ arguments: String...) async throws -> (
      ending: Process.TerminationReason, status: Int32, text: String
    ) {
      try await onThread {
        Result {
          let (process, pipe) = (Process(), Pipe())
          process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
          process.arguments = arguments
          process.environment = ProcessInfo.processInfo.environment.merging(["RX_FORGET": "1"]) { $1 }
          (process.standardOutput, process.standardError) = (pipe, pipe)
          try process.run()
          let data = pipe.fileHandleForReading.readDataToEndOfFile()
          process.waitUntilExit()
          return (process.terminationReason, process.terminationStatus, String(decoding: data, as: UTF8.self))
        }
      }.get()
    }

    @Test func xctestFailsTheTestMethod() async throws {
      let (ending, status, text) = try await run("RxViewModelTests.ForgottenInXCTest")
      #expect(ending == .exit && status != 0)
      #expect(
        text.contains("ForgottenInXCTest.swift:14: error: ForgottenInXCTest.testAForgottenStore : failed - A store of"))
      // The sentence stands on standard error, too.
      #expect(text.components(separatedBy: "If another failure has ended the test").count == 3)
      #expect(text.contains("Executed 3 tests, with 2 failures (1 unexpected)"))
      #expect(text.contains("'ForgottenInXCTest.testAnotherTest' passed"))
    }

    @Test func aReleaseOffTheTaskFailsTheRun() async throws {
      let (ending, status, text) = try await run("--testing-library", "swift-testing", "--filter", "ForgettingTests")
      #expect(ending == .exit && status != 0)
      #expect(text.contains("A store of CatalogViewModel was released without finish()"))
      #expect(text.contains("Test aReleaseOffTheTask() passed"))
      #expect(text.contains("Test anotherTest() passed"))
    }
  #endif
}

#if os(Linux)
  /// Tests that forget a store, for another process.
  @Suite(.enabled(if: ProcessInfo.processInfo.environment["RX_FORGET"] != nil)) struct ForgettingTests {
    @Test func aReleaseOffTheTask() async throws {
      let scheduler = TestScheduler()
      nonisolated(unsafe) var store: TestStore? = TestStore(CatalogViewModel(scheduler))
      try store?.send(.watch)
      await Task.detached { store = nil }.value
    }

    @Test func anotherTest() {}
  }
#endif
