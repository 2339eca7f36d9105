import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2, execution modes: the example to keep in mind
struct TimelineTests {
  private static let document = URL(filePath: #filePath)
    .appending(path: "../../../../../Sources/RxViewModel/RxViewModel.docc/ExecutionModes.md").standardized

  @Test(arguments: Timeline.all)
  func eachModeHasItsHistory(_ timeline: Timeline) {
    let scheduler = TestScheduler()
    let screen = Screen(scheduler: scheduler)
    let states = screen.stateObservable.test(scheduler)
    let executions = screen.executionObservable.test(scheduler)
    let sent = Locked<[String: Int]>([:])
    // Weak: the observers record the actions, whose effects would retain the scheduler, which retains the observers.
    let now: @Sendable () -> Int = { [weak scheduler] in Int((scheduler?.now ?? .zero) / .milliseconds(1)) }
    for row in timeline.rows {
      let time = Duration.milliseconds(row.duration)
      let effect = scheduler.coldObservable([Recorded(time, .next(row.username)), Recorded(time, .completed)])
      let noting = effect.do(onNext: { _ in sent.mutate { $0[row.action] = now() } })
      screen.execute(Step(row.action) { noting.mutate { $0 = [$1] } }, mode: timeline.mode)
    }
    scheduler.run()

    let expected =
      [Recorded(.zero, .next([]))]
      + timeline.history.map { entry in
        Recorded(.milliseconds(entry.time), Event<[String]>.next([entry.username]))
      }
    #expect(states.events == expected)
    for row in timeline.rows {
      let steps = executions.events.compactMap { recorded -> String? in
        guard case .next(let execution) = recorded.event, execution.action.name == row.action else { return nil }
        return "\(Int(recorded.time / .milliseconds(1))) \(execution.step.dropFirst(3))"
      }
      #expect(steps == Self.steps(of: row))
      if case .folded = row.outcome { #expect(sent.value[row.action] == row.start! + row.duration) }
    }
  }

  private static func steps(of row: Timeline.Row) -> [String] {
    let start = (row.waits ? ["0 waiting"] : []) + (row.start.map { ["\($0) started"] } ?? [])
    switch row.outcome {
    case .folded(let time): return start + ["\(time) emitted", "\(time) completed"]
    case .cancelled(let time): return start + ["\(time) cancelled"]
    case .joined(let time): return start + ["\(time) completed"]
    case .dropped(let time): return start + ["\(time) dropped"]
    }
  }

  /// With `DRAW_TIMELINES=1` in the environment, the test writes the drawings into the documentation instead of comparing them.
  @Test func theDocumentationShowsTheTestedTimelines() throws {
    let text = try String(contentsOf: Self.document, encoding: .utf8)
    let drawn = Self.drawing(into: text)
    if ProcessInfo.processInfo.environment["DRAW_TIMELINES"] != nil {
      try drawn.write(to: Self.document, atomically: true, encoding: .utf8)
    } else {
      #expect(text == drawn, "DRAW_TIMELINES=1 swift test --filter TimelineTests generates the drawings")
    }
    let picture = Self.document.appending(path: "../../../../Documentation/timelines.svg").standardized
    if ProcessInfo.processInfo.environment["DRAW_TIMELINES"] != nil {
      try Timeline.picture.write(to: picture, atomically: true, encoding: .utf8)
    } else {
      #expect(try String(contentsOf: picture, encoding: .utf8) == Timeline.picture)
    }
    for timeline in Timeline.all { #expect(drawn.contains("```text\n\(timeline.drawing)\n```")) }
  }

  /// The text with every code block that begins with a mode's name replaced by that mode's drawing.
  private static func drawing(into text: String) -> String {
    let fence = "```"
    let parts = text.components(separatedBy: fence)
    let redrawn = parts.enumerated().map { index, part -> String in
      let lines = part.components(separatedBy: "\n")
      guard index % 2 == 1, lines.count > 1, lines[0] == "text",
        let timeline = Timeline.all.first(where: { $0.name == lines[1] })
      else { return part }
      return "text\n\(timeline.drawing)\n"
    }
    return redrawn.joined(separator: fence)
  }
}
