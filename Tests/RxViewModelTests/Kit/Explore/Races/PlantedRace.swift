import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// Waits for an answer of a service. The argument is the answer's name.
typealias Answer = @Sendable (String) async throws -> Void

extension Exploration {
  var answer: Answer {
    { try await self.arrival($0) }
  }
}

/// The view model of a screen with a planted race.
class RaceModel<Action: Sendable, State: Sendable>: RxViewModel<Action, State>, @unchecked Sendable {
  let answer: Answer
  let isFixed: Bool

  init(_ initialState: State, _ run: Exploration, _ isFixed: Bool) {
    (answer, self.isFixed) = (run.answer, isFixed)
    super.init(initialState: initialState, scheduler: run.scheduler)
  }
}

/// A screen of an app with a planted race, and its fixed form.
struct PlantedRace: Sendable, CustomTestStringConvertible {
  let name: String
  /// Uses the screen as a user does, and checks what the user expects.
  let use: @Sendable (Exploration, _ isFixed: Bool) throws -> Void

  init(_ name: String, _ use: @escaping @Sendable (Exploration, _ isFixed: Bool) throws -> Void) {
    (self.name, self.use) = (name, use)
  }

  var testDescription: String { name }

  static let all = answers + writes + lifetimes

  /// The races that show only if answers overlap.
  static let deep = overlaps
}

// contract 4.6
@Suite("explore finds planted races", .ownThread) struct PlantedRaceTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test(arguments: PlantedRace.all) func theRaceIsFoundByDefault(_ race: PlantedRace) throws {
    let failure = #expect(throws: TestFailure.self) { try explore { run in try race.use(run, false) } }
    try expectReplay(failure, of: race, overlapping: false)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test(arguments: PlantedRace.all) func theFixedFormPasses(_ race: PlantedRace) throws {
    let report = try explore { run in try race.use(run, true) }
    #expect(report.isExhaustive && report.runs > 1)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test(arguments: PlantedRace.deep) func theRaceIsFoundByOverlapping(_ race: PlantedRace) throws {
    try explore { run in try race.use(run, false) }
    let failure = #expect(throws: TestFailure.self) {
      try explore(overlapping: true) { run in try race.use(run, false) }
    }
    try expectReplay(failure, of: race, overlapping: true)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test(arguments: PlantedRace.deep) func theFixedFormPassesOverlapping(_ race: PlantedRace) throws {
    let report = try explore(overlapping: true) { run in try race.use(run, true) }
    #expect(report.isExhaustive && report.runs > 1)
  }

  @Test func thereAreTwentyRaces() {
    #expect(PlantedRace.all.count == 18 && PlantedRace.deep.count == 2)
    #expect(Set((PlantedRace.all + PlantedRace.deep).map(\.name)).count == 20)
  }

  /// Expects the order that the failure names to fail in the same way.
  private func expectReplay(_ failure: TestFailure?, of race: PlantedRace, overlapping: Bool) throws {
    let text = try #require(failure?.description)
    let order = try #require(text.firstMatch(of: /fails in \d+ of \d+ orders, first in "([0-9x\-]*)"/)?.1)
    let replayed = #expect(throws: TestFailure.self) {
      try explore(overlapping: overlapping, replaying: String(order)) { run in try race.use(run, false) }
    }
    #expect(replayed?.description.split(separator: "\n").last == text.split(separator: "\n").last)
  }
}
