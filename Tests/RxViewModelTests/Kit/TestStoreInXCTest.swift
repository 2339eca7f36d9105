#if canImport(XCTest)
  import RxViewModelTesting
  import XCTest

  /// A failure of a store also ends a test method of XCTest: the library imports neither test framework.
  final class TestStoreInXCTest: XCTestCase {
    func testAStoreThrowsItsFailures() throws {
      let scheduler = TestScheduler()
      let viewModel = CatalogViewModel(scheduler)
      try withTestStore(viewModel) { store in
        try store.send(.increment) { $0.count = 1 }
        XCTAssertThrowsError(try store.send(.increment) { $0.count = 42 }) { error in
          XCTAssertTrue("\(error)".contains("TestStoreInXCTest.swift"))
        }
      }
    }
  }
#endif
