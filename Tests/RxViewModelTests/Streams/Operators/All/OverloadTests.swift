import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// Calls in their natural forms, which must compile, and their results.
struct OverloadTests {
  private final class Model: RxViewModel<String, String>, @unchecked Sendable {  // Sendable: it stores nothing.
    override func createInitialState() -> String { "" }

    private func find(_ text: String) async throws -> Int { text.count }

    override func createObservable(_ action: String) -> Effect {
      switch action {
      case "mapper": .task { { @Sendable state in state + "." } }
      case "priority": .task(priority: .high) { 3 }.mutate { state, number in state += "\(number)" }
      case "merge": .merge(.mutate { $0 += "m" }, .task { try await self.find("") }.mutate { $0 += "\($1)" })
      case "concat": .task { 1 }.mutate { $0 += "\($1)" }.concat(.mutate { $0 += "c" })
      default: .task { try await self.find(action) }.mutate { $0 += "\($1)" }
      }
    }
  }

  @Test func aChainOnATaskAsTheEffectOfAnAction() async throws {
    let model = Model()
    #expect(try await model.perform("12345") == "5")
    #expect(try await model.perform("mapper") == "5.")
    #expect(try await model.perform("priority") == "5.3")
    #expect(try await model.perform("merge") == "5.3m0")
    #expect(try await model.perform("concat") == "5.3m01c")
  }

  @Test func laneNamesMadeAtRunTime() {
    let id = 7
    #expect(ExecutionMode.sequence("user \(id)") == .sequence("user 7"))
    #expect(ExecutionMode.switchLatest("user \(id)") != .switchLatest("user 8"))
    #expect(ExecutionMode.dropWhileBusy("user \(id)").description == "dropWhileBusy(user 7)")
    let lane: ExecutionMode.Lane = "list \("x")"
    #expect(lane == ExecutionMode.Lane("list x"))
  }

  @Test func otherNames() {
    let stream: RxObservable<Int> = .just(1)
    let scheduler: any RxScheduler = ImmediateScheduler()
    #expect(stream.observe(on: scheduler).test().values == [1])
    #if compiler(>=6.3)
      let same: RxViewModel::Observable<Int> = stream
      #expect(same.test().values == [1])
    #endif
  }
}
