#if canImport(Observation)
  import Observation
  import RxViewModel
  import Testing
  @testable import TestSupport

  // contract 3.7
  @MainActor
  @Suite struct SliceRowTests {
    struct Row: Sendable, Identifiable {
      let id: CountedID
      var name = "row"
    }

    final class Rows: RxViewModel<[Row], [Row]>, @unchecked Sendable {  // Sendable: it stores nothing.
      override func createInitialState() -> [Row] { [] }
      override func createObservable(_ action: [Row]) -> Effect { .just { _ in action } }

      func row(_ id: CountedID) -> ViewModelSlice<Row, Row>? { slice(\.self, id: id, { [$0] }) }
    }

    private let viewModel = Rows(scheduler: ImmediateScheduler())

    /// Reads a row as a view does that is notified once.
    private func observe(_ id: CountedID) -> String? {
      withObservationTracking {
        viewModel.row(id)?.observed.name
      } onChange: {
      }
    }

    @Test(arguments: [1, 7, 199]) func theRowsOfAStateAreReadInAnyOrderInLinearTime(step: Int) {
      let (count, calls) = (200, CallCount())
      let rows = (0..<count).map { Row(id: CountedID($0, calls)) }
      viewModel.execute(rows)
      for place in 0..<count { #expect(observe(rows[place * step % count].id) == "row") }
      viewModel.execute(rows.reversed())
      for place in 0..<count { #expect(observe(rows[place * step % count].id) == "row") }
      #expect(observe(CountedID(count)) == nil)
      #expect(calls.count < 100 * count)
    }

    @Test func aRowIsTheOneOfTheNewestStateWhereverItHasMoved() {
      let ids = (0..<6).map { CountedID($0) }
      viewModel.execute(ids.map { Row(id: $0, name: "first") })
      for order in [[5, 4, 3, 2, 1, 0], [2, 0], [], [0, 1, 2, 3, 4, 5], [3, 1, 4, 0, 5]] {
        viewModel.execute(order.map { Row(id: ids[$0], name: "\(order.count)") })
        for number in [4, 0, 3, 5, 1, 2] {
          #expect(observe(ids[number]) == (order.contains(number) ? "\(order.count)" : nil))
        }
      }
    }

    @Test func rowsThatAreAbsentInTwoStatesLeaveNothing() {
      _ = viewModel.observed
      var ids = (0..<50).map { CountedID($0) }
      let released = ids.map { id in { [weak id] in id == nil } }
      viewModel.execute(ids.map { Row(id: $0) })
      for id in ids { #expect(observe(id) == "row") }
      ids = []
      #expect(!released.contains { $0() })
      for _ in 0..<2 { viewModel.execute([]) }
      #expect(released.allSatisfy { $0() })
    }

    @Test func rowsThatComeAndGoLeaveNothing() {
      weak var last: CountedID?
      for number in 0..<100 {
        let id = CountedID(number)
        last = id
        viewModel.execute([Row(id: id)])
        #expect(viewModel.row(id)?.observed.name == "row")
      }
      for _ in 0..<2 { viewModel.execute([]) }
      #expect(last == nil)
    }

    // MARK: Rows in a row

    struct Section: Sendable, Identifiable {
      let id: CountedID
      var title = "section"
      var rows: [Row]
    }

    final class Sections: RxViewModel<[Section], [Section]>, @unchecked Sendable {  // Sendable: it stores nothing.
      override func createInitialState() -> [Section] { [] }
      override func createObservable(_ action: [Section]) -> Effect {
        .just { _ in action }
      }

      func section(_ id: CountedID) -> ViewModelSlice<Section, Section>? { slice(\.self, id: id, { [$0] }) }

      /// Reads a row as a view does that is notified once.
      @MainActor func observe(_ row: CountedID, in id: CountedID, onChange: @escaping @Sendable () -> Void = {})
        -> String?
      {
        withObservationTracking {
          section(id)?.slice(\.rows, id: row) { Section(id: id, rows: [$0]) }?.observed.name
        } onChange: {
          onChange()
        }
      }
    }

    private let sections = Sections(scheduler: ImmediateScheduler())
    /// The ids of sections.
    private let places = (0..<3).map { CountedID($0) }

    @Test(arguments: [1, 7, 199]) func theRowsOfARowAreReadInAnyOrderInLinearTime(step: Int) {
      let (count, calls) = (200, CallCount())
      let rows = (0..<count).map { Row(id: CountedID($0, calls)) }
      sections.execute([Section(id: places[1], rows: []), Section(id: places[2], rows: rows)])
      for place in 0..<count { #expect(sections.observe(rows[place * step % count].id, in: places[2]) == "row") }
      sections.execute([Section(id: places[2], title: "other", rows: rows.reversed())])
      for place in 0..<count { #expect(sections.observe(rows[place * step % count].id, in: places[2]) == "row") }
      sections.execute([])
      #expect(sections.observe(rows[0].id, in: places[2]) == nil)
      #expect(calls.count < 100 * count)
    }

    @Test func aViewOfARowInARowHearsOfThatRowOnly() {
      let ids = (0..<3).map { CountedID($0) }
      let heard = Locked<[Int]>([])
      func expect(_ numbers: [Int], after sections: [Section], sourceLocation: SourceLocation = #_sourceLocation) {
        for (number, id) in ids.enumerated() {
          _ = self.sections.observe(id, in: places[1]) { heard.mutate { $0.append(number) } }
        }
        heard.mutate { $0 = [] }
        self.sections.execute(sections)
        #expect(Set(heard.value) == Set(numbers), sourceLocation: sourceLocation)
      }
      let (a, b, c) = (Row(id: ids[0]), Row(id: ids[1]), Row(id: ids[2]))
      sections.execute([Section(id: places[1], rows: [])])
      expect([0, 1], after: [Section(id: places[1], rows: [a, b])])
      expect([], after: [Section(id: places[1], title: "other", rows: [a, b])])
      expect([1], after: [Section(id: places[1], rows: [a, Row(id: ids[1], name: "new")])])
      expect(
        [2],
        after: [Section(id: places[0], rows: [c]), Section(id: places[1], rows: [a, Row(id: ids[1], name: "new"), c])])
      expect([], after: [Section(id: places[1], rows: [c, Row(id: ids[1], name: "new"), a])])
      expect([0, 1, 2], after: [Section(id: places[0], rows: [c])])
      // Each view waits for the section.
      expect([0, 1, 2], after: [Section(id: places[1], rows: [a]), Section(id: places[0], rows: [c])])
    }

    @Test func rowsOfARowThatAreAbsentInTwoStatesLeaveNothing() {
      _ = sections.observed
      var ids = (0..<50).map { CountedID($0) }
      let released = ids.map { id in { [weak id] in id == nil } }
      // The ids are those of the sections and of the rows.
      sections.execute(ids.map { id in Section(id: id, rows: ids.map { Row(id: $0) }) })
      for id in ids { for row in ids { #expect(sections.observe(row, in: id) == "row") } }
      // The first half of the rows goes, and then all sections.
      sections.execute(ids.map { id in Section(id: id, rows: ids.suffix(25).map { Row(id: $0) }) })
      for id in ids { #expect(sections.observe(ids[49], in: id) == "row") }
      ids = []
      for _ in 0..<2 { sections.execute([]) }
      #expect(released.allSatisfy { $0() })
    }

    @Test(.stress) func aPrependedRowComparesTheListOnce() {
      expectGrowth(from: 500, below: 9) { count in
        var rows = (0..<count).map { Row(id: CountedID($0)) }
        viewModel.execute(rows)
        for row in rows { _ = observe(row.id) }
        for number in 0..<10 {
          rows.insert(Row(id: CountedID(-1 - number)), at: 0)
          viewModel.execute(rows)
        }
      }
    }
  }
#endif
