import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 7.6
@MainActor struct ListDataSourceTests {
  private let view = RecordingListView()
  private let list: ListDataSource<Row, Row>
  private let first = [Section(1, [1, 2])]

  init() {
    let list = ListDataSource<Row, Row>(view)
    view.read = { [unowned list] in list.sections }
    self.list = list
  }

  private func showFirst() {
    list.show(first)
    _ = view.takeCalls()
  }

  @Test func theFirstSectionsAndThoseOfAViewThatCannotAnimateAreReloaded() {
    list.show(first)
    view.canAnimate = false
    list.show([Section(1, [2])])
    // Also if they are the same.
    list.show([Section(1, [2])])
    #expect(view.calls == [.reload(first), .reload([Section(1, [2])]), .reload([Section(1, [2])])])
    #expect(list[path(0, 0)] == 2)
  }

  @Test func equalSectionsCallNothingAndUpdatesWithoutAStageAreReconfigured() {
    showFirst()
    list.show(first)
    #expect(view.calls.isEmpty)
    let new = [Section(1, [1, .updated(2)])]
    list.show(new)
    #expect(view.calls == [.reconfigure(items: [path(0, 1)], sections: [], new)])
  }

  @Test func threeHundredChangesAreAnimatedAndOneMoreIsNot() {
    list.show([Section(1, [])])
    let rows = (1...301).map { Row($0) }
    list.show([Section(1, Array(rows.dropLast()))])
    #expect(view.takeCalls().count == 2)
    list.show([Section(1, [])])
    guard case .batch = view.takeCalls().first else {
      Issue.record("300 deletions caused a reload")
      return
    }
    list.show([Section(1, rows)])
    #expect(view.calls == [.reload([Section(1, rows)])])
  }

  @Test func shouldAnimateIsAskedAboutTheNumberOfChanges() {
    var asked: [Int] = []
    let list = ListDataSource<Row, Row>(view) {
      asked.append($0)
      return false
    }
    view.read = { list.sections }
    list.show(first)
    list.show([Section(1, [2])])
    #expect(asked == [1])
    #expect(view.calls == [.reload(first), .reload([Section(1, [2])])])
  }

  @Test func eachStageIsABatchWithTheDataSetInsideIt() {
    let old = [Section(1, [1, 2, 3]), Section(2, [4])]
    let new = [Section(.updated(2), [4, 2]), Section(1, [.updated(3)])]
    let stages = Changeset(from: old, to: new).stages
    #expect(stages.count == 3)
    list.show(old)
    list.show(new)
    let shown = [old] + stages.map(\.sections)
    #expect(
      view.calls
        == [.reload(old)]
        + stages.indices.map { .batch(stages[$0].changes, before: shown[$0], after: shown[$0 + 1]) }
        + [.reconfigure(items: [path(1, 0)], sections: [0], new)])
    #expect(view.failure == nil)
    #expect(list.sections == new)
  }

  @Test func ofTheSectionsShownFromInsideABatchOnlyTheLatestComeAfterIt() {
    showFirst()
    let (skipped, last) = ([Section(1, [7])], [Section(1, [1, 2, 3, 4])])
    view.duringBatch = { [view, list] in
      view.duringBatch = {}
      list.show(skipped)
      list.show(last)
      #expect(list.sections == [Section(1, [1, 2, 3])])
    }
    list.show([Section(1, [1, 2, 3])])
    #expect(list.sections == last)
    #expect(
      view.calls == [
        .batch(ListChanges(insertedItems: [path(0, 2)]), before: first, after: [Section(1, [1, 2, 3])]),
        .batch(ListChanges(insertedItems: [path(0, 3)]), before: [Section(1, [1, 2, 3])], after: last),
      ])
    #expect(view.failure == nil)
  }

  @Test func withoutItsViewItKeepsTheSections() {
    var view: RecordingListView? = RecordingListView()
    let list = ListDataSource<Row, Row>(view!)
    list.show(first)
    weak let released = view
    view = nil
    #expect(released == nil)
    list.show([Section(1, [3])])
    #expect(list.sections == [Section(1, [3])])
  }

  @Test func aBoundListShowsEachValueAndIsNotRetained() {
    let source = BehaviorSubject(value: first)
    var list: ListDataSource<Row, Row>? = ListDataSource(view)
    weak let released = list
    let binding = source.bind(to: list!)
    #expect(list?.sections == first)
    source.onNext([Section(1, [2])])
    #expect(list?.sections == [Section(1, [2])])
    view.read = { [] }
    list = nil
    #expect(released == nil)
    source.onNext(first)
    binding.dispose()
    #expect(!source.hasObservers)
  }

  @Test func itReleasesItsSectionsWhileTheyCanBeRead() {
    let seen = Locked(-1)
    let view = StillListView()
    let list = ListDataSource<Int, CountedID>(view, sectionID: { $0 }, itemID: { $0 })
    let read: @Sendable () -> Void = { MainActor.assumeIsolated { seen.mutate { $0 = list.sections.count } } }
    list.show([SectionModel(model: 1, items: [CountedID(1, onRelease: read)])])
    list.show([])
    #expect(seen.value == 0)
    withExtendedLifetime(view) {}
  }

  @Test func theViewShowsRandomListsCorrectly() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<2_000 {
      list.show(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
          Section(
            Row(.random(in: 0..<6, using: &random), version: .random(in: 0...1, using: &random)),
            (0..<Int.random(in: 0...5, using: &random)).map { _ in Row(.random(in: 0..<9, using: &random)) })
        })
      if let failure = view.failure {
        Issue.record(failure)
        return
      }
    }
    #expect(view.calls.count > 4_000)
  }
}
