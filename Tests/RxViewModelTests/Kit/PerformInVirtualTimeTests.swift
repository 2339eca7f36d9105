import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.10, 4
/// TestScheduler.perform runs work until the action has ended.
struct PerformInVirtualTimeTests {
  private let scheduler = TestScheduler()

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func itStopsWhenTheActionEndsAndReturnsItsState() throws {
    let ticks = Observable.interval(.milliseconds(100), scheduler: scheduler).test(scheduler)
    #expect(try scheduler.perform(.search("a"), on: CatalogViewModel(scheduler)).query == "a")
    #expect(ticks.values == [0, 1, 2] && scheduler.now == .milliseconds(300))
    ticks.dispose()
    #expect(scheduler.pendingCount == 0)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func itThrowsTheActionsError() {
    let viewModel = CatalogViewModel(scheduler)
    #expect(throws: WrongPassword()) { try scheduler.perform(.login, on: viewModel) }
    #expect(throws: WrongPassword(attempt: 0)) { try scheduler.perform(.handled, on: viewModel) }
    viewModel.execute(.watch)
    #expect(throws: CancellationError.self) { try scheduler.perform(.watch, on: viewModel) }
    viewModel.clear()
    #expect(throws: CancellationError.self) { try scheduler.perform(.increment, on: viewModel) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func itUsesTheModeThatItIsGiven() throws {
    let viewModel = CatalogViewModel(scheduler)
    let modes = viewModel.executionObservable.map(\.mode).test(scheduler)
    try scheduler.perform(.increment, on: viewModel, mode: .sequence("x"))
    #expect(modes.values.allSatisfy { $0 == .sequence("x") } && !modes.values.isEmpty)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func itGivesUpWhenNothingIsLeftToRunAndKeepsNothingAlive() throws {
    weak var released: CatalogViewModel?
    let phases: TestObserver<Execution<CatalogAction, Catalog>.Phase>
    do {
      let viewModel = CatalogViewModel(scheduler)
      released = viewModel
      phases = viewModel.executionObservable.map(\.phase).test(scheduler)
      let text = failureText { try scheduler.perform(.watch, on: viewModel, file: "ScreenTests.swift", line: 12) }
      #expect(text == "watch has not ended at 0.0 seconds, and nothing is left to run, ScreenTests.swift:12")
    }
    #expect(phases.values == [.started, .cancelled])
    #expect(scheduler.pendingCount == 0 && released == nil)
  }

  // The work of a loop goes on behind the cancellation.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test(.stress) func itGivesUpBesideALoop() {
    @Sendable func again() { scheduler.schedule { again() } }
    let viewModel = CatalogViewModel(scheduler)
    again()
    let text = failureText { try scheduler.perform(.watch, on: viewModel, file: "ScreenTests.swift", line: 12) }
    #expect(
      text == "watch has not ended at 0.0 seconds, and 1000000 pieces of work have run, ScreenTests.swift:12")
  }
}
