#if canImport(XCTest)
  import RxViewModel
  import RxViewModelTesting
  import XCTest
  @testable import TestSupport

  /// A failing order also ends a test method of XCTest.
  final class ExploreInXCTest: XCTestCase {
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    func testAFailingOrderIsThrown() throws {
      let report = try explore { run in
        let model = SearchViewModel(scheduler: run.scheduler) { text in
          try await run.arrival(text)
          return [text]
        }
        model.execute(.search("a"))
        run.mayArrive()
        model.execute(.search("ab"))
        run.allArrive()
        try run.expect(model.currentState.results == ["ab"])
      }
      XCTAssertEqual(report.runs, 2)
      XCTAssertThrowsError(try explore { run in try run.expect(false) }) { error in
        XCTAssertTrue("\(error)".contains("ExploreInXCTest.swift"))
      }
    }
  }
#endif
