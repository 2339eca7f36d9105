import RxViewModel
import RxViewModelTesting
import Testing
@testable import TestSupport

// Four screens and their tests, as a reader of the articles writes them.

// MARK: A timer

enum LapAction: Sendable, Equatable {
  case start, stop, reset
}

struct LapState: Sendable, Equatable {
  var seconds = 0
  var isRunning = false
}

// Sendable: it stores nothing.
final class LapViewModel: RxViewModel<LapAction, LapState>, @unchecked Sendable {
  override func createInitialState() -> LapState { LapState() }

  override func executionMode(for action: LapAction) -> ExecutionMode {
    action == .start ? .dropWhileBusy : .parallel
  }

  override func createObservable(_ action: LapAction) -> Effect {
    switch action {
    case .start:
      let ticks = Observable.interval(.seconds(1), scheduler: scheduler)
      return .mutate { $0.isRunning = true }.concat(ticks.mutate { state, _ in state.seconds += 1 })
    case .stop:
      cancelActions { $0 == .start }
      return .mutate { $0.isRunning = false }
    case .reset:
      return .mutate { $0.seconds = 0 }
    }
  }
}

// MARK: An undo

enum JotAction: Sendable, Equatable {
  case began
  case typed(String)
  case ended, undo, redo
}

// Sendable: it stores nothing.
final class JotViewModel: RxViewModel<JotAction, History<String>>, @unchecked Sendable {
  override func createInitialState() -> History<String> { History("") }

  override func createObservable(_ action: JotAction) -> Effect {
    switch action {
    case .began: .mutate { $0.beginGroup() }
    case .typed(let text): .mutate { $0.value = text }
    case .ended: .mutate { $0.endGroup() }
    case .undo: .mutate { $0.undo() }
    case .redo: .mutate { $0.redo() }
    }
  }
}

// MARK: A spreadsheet

enum SheetAction: Sendable, Equatable {
  case write(String, Int)
  case sum([String], into: String)
}

struct SheetState: Sendable, Equatable {
  var cells: [String: Int] = [:]
}

/// A service adds the cells.
// Sendable: it stores only a `let`.
class SheetViewModel: RxViewModel<SheetAction, SheetState>, @unchecked Sendable {
  private let add: @Sendable ([Int]) async throws -> Int

  init(scheduler: (any Scheduler)? = nil, add: @escaping @Sendable ([Int]) async throws -> Int) {
    self.add = add
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> SheetState { SheetState() }

  override func createObservable(_ action: SheetAction) -> Effect {
    switch action {
    case .write(let cell, let number):
      return .mutate { $0.cells[cell] = number }
    case .sum(let cells, let target):
      let (numbers, add) = (cells.map { currentState.cells[$0] ?? 0 }, add)
      return Observable.task { try await add(numbers) }.mutate { $0.cells[target] = $1 }
    }
  }
}

/// The newest sum counts.
final class NewestSheetViewModel: SheetViewModel, @unchecked Sendable {  // Sendable: it stores nothing.
  override func executionMode(for action: SheetAction) -> ExecutionMode {
    if case .sum(_, let target) = action { .switchLatest("\(target)") } else { .parallel }
  }
}

// MARK: A slow store

enum ShopRoute: Sendable, Equatable {
  case receipt(String)
}

enum KioskOrderAction: Sendable, Equatable {
  case load
  case buy(String)
}

struct KioskOrderState: Sendable, Equatable {
  var goods: [String] = []
  var isBusy = false
}

struct SoldOut: Error, Equatable {}

// Sendable: it stores only `let`s.
final class KioskOrderViewModel: RxViewModel<KioskOrderAction, KioskOrderState>, @unchecked Sendable {
  struct Service: Sendable {
    var goods: @Sendable () async throws -> [String]
    var buy: @Sendable (String) async throws -> Void
  }

  private let service: Service
  private let navigator: Navigator<ShopRoute>
  let messages = PublishSubject<String>()

  init(service: Service, navigator: Navigator<ShopRoute>, scheduler: (any Scheduler)? = nil) {
    (self.service, self.navigator) = (service, navigator)
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> KioskOrderState { KioskOrderState() }

  override func executionMode(for action: KioskOrderAction) -> ExecutionMode { .dropWhileBusy }

  override func createObservable(_ action: KioskOrderAction) -> Effect {
    let (service, navigator, messages) = (service, navigator, messages)
    switch action {
    case .load:
      let goods = Observable.task { try await service.goods() }
      return .mutate { $0.isBusy = true }.concat(goods.mutate { $0 = KioskOrderState(goods: $1) })
    case .buy(let name):
      let bought = Observable.task { try await service.buy(name) }.do(
        onNext: { navigator.navigate(.receipt(name)) },
        onError: { _ in messages.onNext("\(name) is sold out") })
      return bought.mutate { state, _ in state.goods.removeAll { $0 == name } }
    }
  }
}

// contract 4.2, 4.3, 4.6, 4.7
@Suite("Four screens are tested as the articles say") struct FourScreensTests {
  private let scheduler = TestScheduler()

  @Test func theStopwatchCountsSeconds() throws {
    try withTestStore(LapViewModel(scheduler: scheduler)) { store in
      try store.send(.start) { $0.isRunning = true }
      try store.advance(by: .milliseconds(999))
      try store.advance(by: .milliseconds(1)) { $0.seconds = 1 }
      try store.send(.start)
      try store.expect(.dropped, of: .start)
      try store.advance(by: .seconds(2)) { $0.seconds = 2 }
      try store.expect { $0.seconds = 3 }
      try store.send(.stop) { $0.isRunning = false }
      try store.expect(.cancelled, of: .start)
      try store.advance(by: .seconds(10))
      try store.send(.reset) { $0.seconds = 0 }
    }
  }

  @Test func theNoteForgetsAndRemembersAWord() throws {
    try withTestStore(JotViewModel(scheduler: scheduler), exhaustivity: .off) { store in
      for action: JotAction in [.began, .typed("A"), .typed("Ad"), .ended] { try store.send(action) }
      try store.send(.undo)
      #expect(store.state.value == "")
      try store.send(.redo)
      #expect(store.state.value == "Ad" && !store.state.canRedo)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aStaleSumIsFoundWithoutAnAssertion() throws {
    func sheet(_ run: Exploration, _ make: (Exploration) -> SheetViewModel) -> SheetState {
      let sheet = make(run)
      sheet.execute(.write("A1", 1))
      sheet.execute(.sum(["A1", "A2"], into: "A3"))
      run.mayArrive()
      sheet.execute(.write("A2", 2))
      sheet.execute(.sum(["A1", "A2"], into: "A3"))
      run.allArrive()
      return sheet.currentState
    }
    @Sendable func add(_ run: Exploration) -> @Sendable ([Int]) async throws -> Int {
      { numbers in
        try await run.arrival("the sum of \(numbers)")
        return numbers.reduce(0, +)
      }
    }
    let failure = #expect(throws: TestFailure.self) {
      try explore { run in sheet(run) { SheetViewModel(scheduler: $0.scheduler, add: add($0)) } }
    }
    #expect(
      failure?.description.contains("The outcome depends on the order of the responses: cells") == true, "\(failure!)")
    try explore { run in sheet(run) { NewestSheetViewModel(scheduler: $0.scheduler, add: add($0)) } }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theStoreIsSlowAndSellsOut() throws {
    let screens = TestNavigator<ShopRoute>()
    let clock = scheduler.clock
    let service = KioskOrderViewModel.Service(
      goods: {
        try await clock.sleep(for: .seconds(2))
        return ["tea", "jam"]
      },
      buy: { name in
        try await clock.sleep(for: .seconds(1))
        if name == "jam" { throw SoldOut() }
      })
    let viewModel = KioskOrderViewModel(service: service, navigator: screens.navigator, scheduler: scheduler)
    try withTestStore(viewModel, navigator: screens) { store in
      let messages = store.record(viewModel.messages)
      try store.send(.load) { $0.isBusy = true }
      try store.send(.load)
      try store.expect(.dropped, of: .load)
      try store.advance(by: .seconds(2)) { $0 = KioskOrderState(goods: ["tea", "jam"]) }
      try store.send(.buy("tea"))
      try store.advance(by: .seconds(1))
      try store.expect(route: ShopRoute.receipt("tea"))
      try store.expect { $0.goods = ["jam"] }
      try store.send(.buy("jam"))
      try store.advance(by: .seconds(1))
      try store.expect(messages, "jam is sold out")
      try store.expect(.failed(SoldOut()), of: .buy("jam"))
    }
  }
}
