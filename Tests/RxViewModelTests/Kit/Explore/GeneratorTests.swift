import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 4.6
@Suite("A generator of actions is shrunk", .ownThread) struct GeneratorTests {
  /// Executes up to `count` random actions, with answers at random times, and checks an invariant after each.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  private func fuzz(_ run: Exploration, upTo count: Int, isMended: Bool, _ actions: Locked<[String]>) throws {
    let model = ReceiptModel(run.answer, isMended, run.scheduler)
    actions.mutate { $0 = [] }
    for _ in 0..<run.choose(0...count) {
      let action = run.choose(ReceiptModel.Action.remove, .add(run.choose(1...9)), .clear)
      actions.mutate { $0.append("\(action)") }
      model.execute(action)
      run.mayArrive()
      let state = model.currentState
      try run.expect(state.total == state.prices.reduce(0, +))
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func onlyTheActionsThatMatterRemain() throws {
    try expectOnlyTheActionsThatMatter(upTo: 8)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test(.stress) func onlyTheActionsThatMatterRemainOfUpToFiveHundred() throws {
    try expectOnlyTheActionsThatMatter(upTo: 500)
  }

  /// The loop always makes five hundred choices. In the shrunk order most of them choose no action.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test(.stress) func onlyTheActionsThatMatterRemainOfFiveHundredChoices() throws {
    let actions = Locked<[String]>([])
    #expect(throws: TestFailure.self) {
      try explore(seed: 1) { run in
        let model = ReceiptModel(run.answer, false, run.scheduler)
        actions.mutate { $0 = [] }
        for _ in 0..<500 {
          guard let action = run.choose(nil, ReceiptModel.Action.remove, .add(1), .add(2), .clear) else { continue }
          actions.mutate { $0.append("\(action)") }
          model.execute(action)
          run.mayArrive()
        }
        run.allArrive()
        let state = model.currentState
        try run.expect(state.total == state.prices.reduce(0, +))
      }
    }
    #expect(actions.value == ["add(1)", "add(1)", "add(1)", "clear"])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  private func expectOnlyTheActionsThatMatter(upTo count: Int) throws {
    let actions = Locked<[String]>([])
    let failure = #expect(throws: TestFailure.self) {
      try explore(seed: 1) { run in try fuzz(run, upTo: count, isMended: false, actions) }
    }
    #expect(actions.value == ["add(1)", "add(1)", "add(1)", "clear"])
    let text = try #require(failure?.description)
    let order = try #require(text.firstMatch(of: /first in "([0-9x\-]*)"/)?.1)
    #expect(throws: TestFailure.self) {
      try explore(replaying: String(order)) { run in try fuzz(run, upTo: count, isMended: false, actions) }
    }
    #expect(actions.value.count == 4)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theMendedFormPasses() throws {
    let report = try explore(limit: 300) { run in try fuzz(run, upTo: 20, isMended: true, Locked([])) }
    #expect(report.runs == 300 && !report.isExhaustive)
  }
}

/// A receipt with a running total.
// Sendable: it stores only `let`s.
private final class ReceiptModel: RxViewModel<ReceiptModel.Action, ReceiptModel.State>, @unchecked Sendable {
  enum Action: Sendable, Equatable {
    case remove
    case add(Int)
    case clear
  }
  struct State: Sendable, Equatable {
    var prices: [Int] = []
    var total = 0
  }

  private let answer: Answer
  private let isMended: Bool

  init(_ answer: @escaping Answer, _ isMended: Bool, _ scheduler: any Scheduler) {
    (self.answer, self.isMended) = (answer, isMended)
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> State { State() }

  override func createObservable(_ action: Action) -> Effect {
    switch action {
    case .add(let price):
      return .task { [answer] in
        try await answer("price \(price)")
        return price
      }.mutate { state, price in
        state.prices.append(price)
        state.total += price
      }
    case .remove:
      return .mutate { $0.total -= $0.prices.popLast() ?? 0 }
    case .clear:
      return .mutate { [isMended] state in
        // The fault: clearing a receipt of three or more prices does not reset its total.
        if isMended || state.prices.count < 3 { state.total = 0 }
        state.prices = []
      }
    }
  }
}
