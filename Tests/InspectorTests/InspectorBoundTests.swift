import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import RxViewModelInspector
@testable import TestSupport

/// A state of 100 KB: a thousand items.
private struct LargeState: Sendable, Equatable, Codable {
  struct Item: Sendable, Equatable, Codable {
    var id: Int
    var text: String
  }

  var count = 0
  var items = (0..<1_000).map { Item(id: $0, text: String(repeating: "x", count: 100)) }
}

@Suite(.ownThread) struct InspectorBoundTests {
  private let scheduler = TestScheduler()
  private let folder: InspectedFolder

  init() { folder = InspectedFolder(scheduler) }

  /// Five actions a second, each of four entries.
  @Test func manyEntries() throws {
    let (model, inspector) = (CounterModel(scheduler), folder.inspector())
    inspector.watch(model, name: "counter")
    scheduler.run()
    for number in 1...2_500 {
      model.execute(1)
      if number % 5 > 0 { continue }
      scheduler.advance(by: .seconds(1))
    }
    let (head, _) = try folder.session()
    let entries = try folder.entries()
    #expect(entries.count >= SessionWriter.newest && entries.count < SessionWriter.newest + SessionWriter.chunk)
    #expect(entries.last?.text == "499000 #2500 end completed" && head.from + entries.count == 10_000)
    #expect(inspector.text.split(separator: "\n").count == SessionWriter.newest)
    #expect(try folder.names.count == 4 + (head.first - head.from) / head.chunk && folder.size < 500_000)
  }

  /// So many between two writes that the oldest are never written. The page starts over, and misses nothing.
  @Test func aFlood() throws {
    let model = CounterModel(scheduler)
    let release = PublishSubject<Int>()
    let waiting = ClosureViewModel<Int, Int>(0, scheduler: scheduler) { _, _ in release.mutate { $0 = $1 } }
    let inspector = folder.inspector()
    inspector.watch(waiting, name: "waiting")
    inspector.watch(model, name: "counter")
    waiting.execute(1)
    model.execute(1)
    scheduler.advance(by: .seconds(2))
    let old = try folder.session().head
    for _ in 0..<2_000 { model.execute(1) }
    scheduler.advance()
    waiting.clear()
    scheduler.run()
    let (head, _) = try folder.session()
    let entries = try folder.entries()
    #expect(head.from > old.first + old.chunk - 1 && head.from % head.chunk == 0)
    #expect(entries.count <= 4_100 && entries.last?.k == "end" && entries.last?.m == 2)
    #expect(try folder.size < SessionWriter.mostBytes)
    // Nothing is unfinished.
    #expect(scheduler.pendingCount == 0)
  }

  /// The page notices the gap, although it knows all entries of a full file.
  @Test func aFloodBehindAFullChunk() throws {
    let models = (0..<2).map { _ in
      ClosureViewModel<Int, Int>(0, scheduler: scheduler) { _, _ in PublishSubject<Int>().mutate { $0 = $1 } }
    }
    let (counter, inspector) = (CounterModel(scheduler), folder.inspector())
    for model in models { inspector.watch(model, name: "waiting") }
    inspector.watch(counter, name: "counter")
    for model in models { model.execute(1) }
    for _ in 0..<31 { counter.execute(1) }
    scheduler.advance(by: .seconds(2))
    let old = try folder.session().head
    #expect(try folder.entries().count == old.chunk && old.first == 0)
    for _ in 0..<2_000 { counter.execute(1) }
    scheduler.advance(by: .seconds(2))
    #expect(try folder.session().head.from > old.chunk)
  }

  @Test func viewModelsWithoutActionsThatHaveGone() throws {
    let inspector = folder.inspector()
    for _ in 0..<100 {
      inspector.watch(CounterModel(scheduler), name: "gone")
      scheduler.advance(by: .seconds(1))
    }
    // Each write still has those that have gone since the last one.
    #expect(try folder.session().head.models.count <= 2)
  }

  /// Long texts take the place of older entries, too.
  @Test func longTexts() throws {
    let model = ClosureViewModel<String, [String]>([], scheduler: scheduler) { _, text in
      .mutate { $0 = (0..<100).map { "\($0)\(text)" } }
    }
    folder.inspector().watch(model, name: "model")
    scheduler.run()
    for number in 0..<600 {
      model.execute("\(number)" + String(repeating: "\u{1}", count: 5_000))
      if number % 20 < 19 { continue }
      scheduler.advance(by: .seconds(1))
    }
    #expect(try folder.size < SessionWriter.mostBytes + 100_000)
    #expect(try folder.entries().last?.text == "29000 #600 end completed")
  }

  /// Of ten states between two writes, some are shown in full, and of the others what has changed.
  @Test func aLargeState() throws {
    let model = ClosureViewModel<Int, LargeState>(LargeState(), scheduler: scheduler) { _, number in
      .mutate { state in
        state.count += 1
        state.items[number].text = "changed"
      }
    }
    folder.inspector().watch(model, name: "model")
    scheduler.run()
    for number in 0..<50 { model.execute(number * 20) }
    scheduler.run()
    let differences = try folder.entries().compactMap(\.diff)
    #expect(differences.count == 50)
    let text = "\"" + String(repeating: "x", count: 100) + "\""
    #expect(differences[0] == ["- count: 0", "+ count: 1", "- items[0].text: \(text)", "+ items[0].text: \"changed\""])
    #expect(differences[49] == ["~ count", "~ items"])
    #expect((1...25).contains(differences.filter { $0.count == 4 }.count))
    // The next write has as much to spend.
    model.execute(1)
    scheduler.run()
    #expect(try folder.entries().compactMap(\.diff).last?.count == 4)
  }

  /// Screens come and go for a day, and another one lives on.
  @Test func manyViewModels() throws {
    let inspector = folder.inspector()
    let long = CounterModel(scheduler)
    inspector.watch(long, name: "long")
    for _ in 0..<160 {
      let model = CounterModel(scheduler)
      inspector.watch(model, name: "short")
      for _ in 0..<4 { model.execute(1) }
      scheduler.advance(by: .minutes(1))
    }
    let head = try folder.session().head
    #expect(head.models.first?.name == "long" && head.models.count < 150)
  }
}

extension Duration {
  fileprivate static func minutes(_ count: Int) -> Duration { .seconds(60 * count) }
}

#if os(Linux)
  struct InspectorMemoryTests {
    /// A day in virtual time, with a recorder: each hour 105 actions, 50 a second, beside a state of 100 KB; together 10,000 entries.
    @Test(.stress, .ownThread) func aDayLeavesNothingBehind() async {
      await #expect(processExitsWith: .success) {
        let (scheduler, recorder) = (TestScheduler(), SessionRecorder(limit: 200))
        let folder = InspectedFolder(scheduler)
        let model = recorder.record("items") {
          ClosureViewModel<Int, LargeState>(LargeState(), scheduler: scheduler) { _, number in
            .mutate {
              $0.items[number % 1_000].text = String(repeating: number / 1_000 % 2 == 0 ? "y" : "z", count: 100)
            }
          }
        }
        let (inspector, counter) = (folder.inspector(recorder), CounterModel(scheduler))
        inspector.watch(model, name: "items")
        inspector.watch(counter, name: "counter")
        // Until it keeps as many lines as it may, which are 4,000.
        for number in 1...4_200 {
          counter.execute(1)
          if number % 100 == 0 { scheduler.advance(by: .seconds(1)) }
        }
        let (start, before) = (scheduler.now, try folder.session().head)
        var number = 0
        let sixHours = {
          for _ in 0..<6 {
            for _ in 0..<105 {
              number += 1
              model.execute(number)
              scheduler.advance(by: .milliseconds(20))
            }
            scheduler.advance(by: .milliseconds(3_600_000 - 105 * 20))
          }
        }
        sixHours()
        let growth = allocation { for _ in 0..<3 { sixHours() } }
        precondition(growth < 100_000, "\(growth) bytes more")
        let (head, size) = try (folder.session().head, folder.size)
        precondition(
          head.first - before.first > 9_900 && head.first - head.from < SessionWriter.newest + SessionWriter.chunk)
        precondition(size < 2 * SessionWriter.mostBytes, "\(size) bytes")
        precondition(scheduler.pendingCount == 0 && scheduler.now - start == .seconds(24 * 3_600))
      }
    }
  }
#endif
