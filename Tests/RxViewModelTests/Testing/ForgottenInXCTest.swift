#if canImport(XCTest) && os(Linux)
  import Foundation
  import RxViewModelTesting
  import XCTest

  /// Forgets a store. `ForgottenInATestTests` runs it in another process, and it does nothing elsewhere.
  final class ForgottenInXCTest: XCTestCase {
    private let forgets = ProcessInfo.processInfo.environment["RX_FORGET"] != nil
    private let scheduler = TestScheduler()

    func testAForgottenStore() throws {
      if !forgets { return }
      // The failure has the line of the next statement.
      let store = TestStore(CatalogViewModel(scheduler))
      try store.send(.watch)
    }

    func testAnErrorBesideAStore() throws {
      if !forgets { return }
      let store = TestStore(CatalogViewModel(scheduler))
      withExtendedLifetime(store) {}
      throw TestError("the test's own")
    }

    func testAnotherTest() {}
  }
#endif
