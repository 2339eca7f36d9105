import Foundation
import Races
import RxViewModel
import RxViewModelTesting
import Testing

struct DeviceListTests {
  private typealias Make = (DeviceService, any Scheduler) -> DeviceList
  private let batteries = [1: 50, 2: 80]
  private let second = DeviceDetail(id: 2, battery: 80)

  private func service(_ run: Exploration) -> DeviceService {
    DeviceService { [batteries] id in
      try await run.request("probe \(id)", failing: URLError(.timedOut), changes: false) {
        DeviceDetail(id: id, battery: batteries[id] ?? 0)
      }
    }
  }

  /// Selects two devices. Returns what the user sees in the end.
  private func selectTwice(_ run: Exploration, _ make: Make) -> DeviceDetail? {
    let list = make(service(run), run.scheduler)
    list.execute(.select(1))
    run.mayArrive()
    list.execute(.select(2))
    run.allArrive()
    return list.currentState.detail
  }

  @Test func theFirstDeviceAppearsUnderTheSecond() throws {
    let endings = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in selectTwice(run) { DeviceList($0, scheduler: $1) } }
    }
    #expect("\(endings)".contains("The outcome depends on the order of the responses"), "\(endings)")
    let failure = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in
        try run.expect(selectTwice(run) { DeviceList($0, scheduler: $1) }, equals: second)
      }
    }
    #expect("\(failure)".hasPrefix("fails in 4 of 10 orders, first in"), "\(failure)")
  }

  @Test func aSelectionEndsTheOneBefore() throws {
    let report = try explore(failures: 0, overlapping: true) { run in
      try run.expect(selectTwice(run) { CuredDeviceList($0, scheduler: $1) }, equals: second)
    }
    #expect(report.isExhaustive)
    #expect(report.runs == 5)
  }

  /// The detail is always that of the selection, although a cancelled call may return all the same. After a failure, the user selects again.
  private func play(_ run: Exploration, _ selections: [Int]) throws {
    let list = CuredDeviceList(service(run), scheduler: run.scheduler)
    run.always(list, "the detail of another device") { $0.detail == nil || $0.detail?.id == $0.selection }
    for id in selections {
      list.execute(.select(id))
      run.mayArrive()
    }
    run.allArrive()
    run.recover()
    list.execute(.select(2))
    run.allArrive()
    try run.expect(list.currentState.detail, equals: second)
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
