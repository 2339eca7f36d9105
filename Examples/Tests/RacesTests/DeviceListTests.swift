import Races
import RxViewModel
import RxViewModelTesting
import Testing

extension RaceServer<[Int: Int]> {
  fileprivate var service: DeviceService {
    DeviceService { id in try await self.read("probe \(id)") { DeviceDetail(id: id, battery: $0[id] ?? 0) } }
  }
}

struct DeviceListTests {
  private typealias Make = (DeviceService, any Scheduler) -> DeviceList
  private let batteries = [1: 50, 2: 80]

  /// Selects two devices. Returns what the user sees in the end.
  private func selectTwice(_ run: Exploration, _ make: Make) -> DeviceState {
    let list = make(RaceServer(run, batteries).service, run.scheduler)
    list.execute(.select(1))
    run.mayArrive()
    list.execute(.select(2))
    run.allArrive()
    return list.currentState
  }

  @Test func theFirstDeviceAppearsUnderTheSecond() throws {
    let failure = try #require(throws: TestFailure.self) {
      try explore { run in selectTwice(run) { DeviceList($0, scheduler: $1) } }
    }
    #expect("\(failure)".hasPrefix("fails in 4 of 10 orders, first in"), "\(failure)")
  }

  @Test func aSelectionEndsTheOneBefore() throws {
    let report = try explore(overlapping: true) { run in selectTwice(run) { CuredDeviceList($0, scheduler: $1) } }
    #expect(report.isExhaustive)
    #expect(report.runs == 5)
  }

  /// The detail is always that of the selection, although a cancelled call may return all the same. After a failure, the user selects again.
  private func play(_ run: Exploration, _ selections: [Int]) throws {
    let server = RaceServer(run, batteries, fails: true)
    let list = CuredDeviceList(server.service, scheduler: run.scheduler)
    list.expectErrors()
    run.always(list, "the detail of another device") { $0.detail == nil || $0.detail?.id == $0.selection }
    for id in selections {
      list.execute(.select(id))
      run.mayArrive()
    }
    run.allArrive()
    server.recover()
    list.execute(.select(2))
    run.allArrive()
    try run.expect(list.currentState.detail, equals: DeviceDetail(id: 2, battery: 80))
  }

  @Test func theDetailIsThatOfTheSelectionAfterFailures() throws {
    let report = try explore { try play($0, [1, 2, 1]) }
    #expect(report.isExhaustive)
    #expect(report.runs == 315)
  }

  @Test func anySelectionsAtAnyTime() throws {
    try explore(limit: 2_000, failures: 2, overlapping: true) { run in
      try play(run, (0..<run.choose(0...6)).map { _ in run.choose(1, 2, 3) })
    }
  }
}
