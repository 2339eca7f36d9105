#if canImport(XCTest)
  import RxViewModelTesting
  import XCTest

  /// A failure also ends a test method of XCTest, at its line: the library imports neither test framework.
  final class KitInXCTest: XCTestCase {
    func testAStoreThrowsItsFailures() throws {
      try withTestStore(CatalogViewModel(TestScheduler())) { store in
        try store.send(.increment) { $0.count = 1 }
        XCTAssertThrowsError(try store.send(.increment) { $0.count = 42 }) { error in
          XCTAssertTrue("\(error)".contains("KitInXCTest.swift"))
        }
      }
    }

    func testExploreThrowsAFailingOrder() throws {
      XCTAssertEqual(try explore { run in try run.expect(run.choose(1, 2) < 3) }.runs, 2)
      XCTAssertThrowsError(try explore { run in try run.expect(false) }) { error in
        XCTAssertTrue("\(error)".contains("KitInXCTest.swift"))
      }
    }
  }
#endif
