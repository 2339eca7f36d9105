import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

private enum Lost: Error { case answer }

private final class Shelf: RxViewModel<String, [String]>, @unchecked Sendable {
  private let find: @Sendable (String) async throws -> [String]

  init(on scheduler: any Scheduler, find: @escaping @Sendable (String) async throws -> [String]) {
    self.find = find
    super.init(initialState: [], scheduler: scheduler)
  }

  override func createObservable(_ action: String) -> Effect {
    let find = find
    return Observable.task { try await find(action) }.mutate { $0 = $1 }
  }
}

// contract 4.6
@Suite("The table of a failure", .asyncEffects) struct ExploreTableTests {
  private enum Action: Sendable, Equatable {
    case search(String)
    case save(Int)
  }

  private struct Screen: Sendable, Equatable {
    var text = ""
    var rows: [String] = []
  }

  private func screen(
    _ run: Exploration, _ mode: ExecutionMode = .parallel,
    _ effect: (@Sendable (Exploration, Action) async throws -> [String])? = nil
  ) -> ClosureViewModel<Action, Screen> {
    ClosureViewModel(Screen(), scheduler: run.scheduler) { _, action in
      let answer = Observable.task { () -> [String] in
        if let effect { return try await effect(run, action) }
        try await run.arrival("answer to \(action)")
        return ["\(action)"]
      }
      guard case .search(let text) = action else { return answer.mutate { $0.rows = $1 } }
      return .mutate { $0.text = text }.concat(answer.mutate { $0.rows = $1 })
    } overrides: {
      $0.mode = { _, _ in mode }
    }
  }

  /// The table of the order in which everything arrives in turn.
  private func table(_ order: String = "", _ body: (Exploration) throws -> Void) -> String {
    let text = failureText {
      try explore(replaying: order, file: "SomeTests.swift", line: 1) { run in
        try body(run)
        try run.expect(false, "the end")
      }
    }
    return text.split(separator: "\n").filter { $0.hasPrefix("  ") }.joined(separator: "\n")
  }

  // An app makes its view models with a recorder, which may be in the test as well.
  @Test(arguments: [false, true]) func aRecordedViewModelIsDrawnToo(calls: Bool) {
    func search(by makeRecorder: () -> SessionRecorder?) -> String {
      table { run in
        let recorder = makeRecorder()
        let make = {
          Shelf(on: run.scheduler) { text in
            let find = { () async throws -> [String] in
              try await run.request("find \(text)") { [text] }
            }
            guard calls, let recorder else { return try await find() }
            return try await recorder.answer("find") { try await find() }
          }
        }
        let model = recorder.map { $0.record("shelf", make) } ?? make()
        model.execute("a")
        model.execute("b")
        run.allArrive()
      }
    }
    let unrecorded = search { nil }
    #expect(unrecorded.contains("starts"))
    var recorders: [SessionRecorder] = []
    let recorded = search {
      recorders.append(SessionRecorder())
      return recorders.last
    }
    #expect(recorded == unrecorded)
    // The last run is drawn.
    #expect(recorders.last?.recording.entries.isEmpty == true)
  }

  @Test func anEndStandsThereWithItsCause() {
    func search(_ mode: ExecutionMode, _ order: String = "") -> String {
      table(order) { run in
        let model = screen(run, mode)
        model.execute(.save(1))
        model.execute(.save(2))
        run.allArrive()
      }
    }
    #expect(
      search(.switchLatest) == """
          save(1)                save(2)
          starts
                                 executed
          superseded by save(2)
                                 starts
                                 answer to save(2)  rows: [] → ["save(2)"]
        """)
    #expect(
      search(.dropWhileBusy) == """
          save(1)            save(2)
          starts
                             executed
                             dropped, busy with save(1)
          answer to save(1)                              rows: [] → ["save(1)"]
        """)
    #expect(
      search(.sequence) == """
          save(1)            save(2)
          starts
                             waits, busy with save(1)
          answer to save(1)                              rows: [] → ["save(1)"]
                             starts, waited for save(1)
                             answer to save(2)           rows: ["save(1)"] → ["save(2)"]
        """)
    #expect(
      search(.join("save")) == """
          save(1)            save(2)
          starts
                             waits, joined save(1)
          answer to save(1)                         rows: [] → ["save(1)"]
                             ends, joined save(1)
        """)
    #expect(
      search(.keepLatest("save", after: .seconds(1))) == """
                                save(1)                save(2)
                                waits, debounced
                                                       executed
                                superseded by save(2)
                                                       waits, debounced
          timer at 1.0 seconds
                                                       starts
                                                       answer to save(2)  rows: [] → ["save(2)"]
        """)
    #expect(
      table { run in
        let model = screen(run) { _, _ in throw Lost.answer }
        model.execute(.save(1))
        run.allArrive()
        model.execute(.save(1))
        model.cancelActions { _ in true }
        run.allArrive()
      } == """
          #1 save(1)     #2 save(1)
          starts
          fails: answer
                         executed
                         cancelled by request
        """)
  }

  @Test func aServerHasAColumn() {
    #expect(
      table("0-1") { run in
        let model = screen(run, .switchLatest) { run, action in
          try await run.request("\(action)", failing: Lost.answer) { ["\(action)"] }
        }
        model.execute(.save(1))
        run.mayArrive()
        model.execute(.save(2))
        run.allArrive()
      } == """
          save(1)                save(2)            server
          starts
                                                    save(1)
                                 executed
          superseded by save(2)
                                 starts
                                                    save(2)
                                 answer to save(2)           rows: [] → ["save(2)"]
        """)
  }

  @Test func fiveActionsHaveNumbersAndChoicesAColumn() {
    #expect(
      table { run in
        let model = screen(run)
        for number in 1...4 { model.execute(.save(number)) }
        model.execute(.save(run.choose(5, 6)))
        run.allArrive()
      } == """
          chose 5
                   #1 save(1)  starts
                   #2 save(2)  starts
                   #3 save(3)  starts
                   #4 save(4)  starts
                   #5 save(5)  starts
                   #1 save(1)  answer to save(1)  rows: [] → ["save(1)"]
                   #2 save(2)  answer to save(2)  rows: ["save(1)"] → ["save(2)"]
                   #3 save(3)  answer to save(3)  rows: ["save(2)"] → ["save(3)"]
                   #4 save(4)  answer to save(4)  rows: ["save(3)"] → ["save(4)"]
                   #5 save(5)  answer to save(5)  rows: ["save(4)"] → ["save(5)"]
        """)
  }

  @Test func noLineIsLongerThanAHundredCharacters() {
    let long = String(repeating: "abcdefghij", count: 30)
    let text = table { run in
      let model = screen(run)
      for text in ["a", "b", "c", "d"] { model.execute(.search("\(long)\(text)")) }
      run.allArrive()
    }
    let lines = text.split(separator: "\n")
    #expect(lines.count == 9 && lines.allSatisfy { $0.count <= 100 }, "\(text)")
  }

  // Two orders that have the same arrivals, and an order in which nothing arrives.
  @Test func theTableTellsOrdersApart() {
    func both(_ order: String) -> String {
      table(order) { run in
        let model = screen(run) { run, _ in
          try await run.arrival("rows of 2")
          return []
        }
        model.execute(.save(1))
        model.execute(.save(2))
        run.mayArrive()
      }
    }
    #expect(both("1-1").split(separator: "\n").suffix(2).allSatisfy { $0.contains("rows of 2") })
    #expect(both("1-1") != both("2-1"))
    #expect(both("0") == "  save(1)  save(2)\n  starts\n           starts")
  }
}
