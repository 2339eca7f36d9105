#if canImport(Observation)
  import Observation
  import RxViewModel
  import RxViewModelTesting
  import Testing
  @testable import TestSupport

  // contract 3.7
  @MainActor
  struct SliceRandomTests {
    @Test func exactlyTheViewsOfWhatHasChangedAreNotified() {
      for seed in 0..<UInt64(15) where !isCorrect(seed: seed, states: 60) { return }
    }

    @Test(.stress) func theSameHoldsOfManyMoreStates() {
      for seed in 1_000..<UInt64(1_050) where !isCorrect(seed: seed, states: 100) { return }
    }

    private func isCorrect(seed: UInt64, states: Int) -> Bool {
      var random = SplitMix64(seed: seed)
      let lifetimes = Lifetimes()
      var tree = RandomTree()
      let viewModel = RandomTreeViewModel(initialState: tree, scheduler: ImmediateScheduler())
      let views = TreePart.all.shuffled(using: &random).prefix(40).map { TreeView($0) }
      for step in 0..<states {
        for view in views where Int.random(in: 0..<3, using: &random) > 0 {
          let seen = view.read(viewModel)
          if seen != view.part.seen(in: tree) {
            Issue.record("seed \(seed), step \(step): \(view.part) shows \(seen) in \(tree)")
            return false
          }
        }
        for _ in 0..<Int.random(in: 1...3, using: &random) { tree.change(lifetimes, &random) }
        let waiting = views.filter { !$0.isNotified }
        viewModel.execute(tree)
        for view in waiting where view.isNotified != (view.shown != view.part.seen(in: tree)) {
          let fault = view.isNotified ? "is notified of" : "is not notified of"
          Issue.record("seed \(seed), step \(step): \(view.part), which shows \(view.shown), \(fault) \(tree)")
          return false
        }
      }
      tree = RandomTree()
      // A row that is absent in two states leaves nothing.
      for _ in 0..<2 { viewModel.execute(tree) }
      if lifetimes.alive > 0 { Issue.record("seed \(seed): \(lifetimes.alive) rows are alive") }
      return lifetimes.alive == 0
    }
  }

  /// Lists in three levels, in two places.
  private struct RandomTree: Sendable {
    struct Item: Sendable, Identifiable {
      let id: Int
      var name = 0
    }

    struct Form: Sendable {
      var text = 0
      var note: Int?
    }

    struct Row: Sendable, Identifiable {
      let id: Int
      let object: Lifetimes.Object
      var name = 0
      var form = Form()
      var items: [Item] = []
    }

    struct Detail: Sendable {
      var rows: [Row] = []
    }

    struct Section: Sendable, Identifiable {
      let id: Int
      var title = 0
      var rows: [Row] = []
      var detail: Detail?
    }

    struct Board: Sendable {
      var sections: [Section] = []
    }

    enum Destination: Sendable {
      case board(Board)
      case alert
    }

    var board = Board()
    var destination: Destination?
  }

  extension RandomTree.Destination? {
    fileprivate var board: RandomTree.Board? {
      get { if case .board(let board) = self { board } else { nil } }
      set { if let newValue { self = .board(newValue) } }
    }
  }

  extension RandomTree {
    mutating func change(_ lifetimes: Lifetimes, _ random: inout SplitMix64) {
      if Bool.random(using: &random) { return board.change(lifetimes, &random) }
      guard var shown = destination.board else {
        destination = .board(board)
        return
      }
      switch Int.random(in: 0..<8, using: &random) {
      case 0: destination = nil
      case 1: destination = .alert
      default:
        shown.change(lifetimes, &random)
        destination = .board(shown)
      }
    }
  }

  extension RandomTree.Board {
    fileprivate mutating func change(_ lifetimes: Lifetimes, _ random: inout SplitMix64) {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: sections.changePlaces(&random) { RandomTree.Section(id: $0) }
      case 1:
        // A row moves to another section.
        let places = sections.indices.filter { !sections[$0].rows.isEmpty }
        guard let from = places.randomElement(using: &random), let to = sections.indices.randomElement(using: &random)
        else { return }
        let row = sections[from].rows.removeFirst()
        if !sections[to].rows.contains(where: { $0.id == row.id }) { sections[to].rows.append(row) }
      case 2:
        // An equal array in another place of the memory.
        sections = sections.map(\.self)
      default:
        guard let place = sections.indices.randomElement(using: &random) else {
          return sections.append(RandomTree.Section(id: 0))
        }
        sections[place].change(lifetimes, &random)
      }
    }
  }

  extension RandomTree.Section {
    fileprivate mutating func change(_ lifetimes: Lifetimes, _ random: inout SplitMix64) {
      switch Int.random(in: 0..<10, using: &random) {
      case 0: title = Int.random(in: 0..<2, using: &random)
      case 1: detail = detail == nil ? RandomTree.Detail(rows: rows) : nil
      case 2: detail?.rows.changePlaces(&random) { RandomTree.Row(id: $0, object: lifetimes.make()) }
      case 3, 4: rows.changePlaces(&random) { RandomTree.Row(id: $0, object: lifetimes.make()) }
      case 5: rows = rows.map(\.self)
      default:
        guard let place = rows.indices.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<5, using: &random) {
        case 0: rows[place].name = Int.random(in: 0..<2, using: &random)
        case 1: rows[place].form.text = Int.random(in: 0..<2, using: &random)
        case 2: rows[place].form.note = [nil, 0, 1].randomElement(using: &random)!
        case 3: rows[place].items.changePlaces(&random) { RandomTree.Item(id: $0) }
        default:
          guard let item = rows[place].items.indices.randomElement(using: &random) else { return }
          rows[place].items[item].name = Int.random(in: 0..<2, using: &random)
        }
      }
    }
  }

  extension Array where Element: Identifiable, Element.ID == Int {
    /// Adds, removes or moves elements. No two have the same id.
    fileprivate mutating func changePlaces(_ random: inout SplitMix64, _ make: (Int) -> Element) {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: shuffle(using: &random)
      case 1: if let place = indices.randomElement(using: &random) { remove(at: place) }
      case 2: self = filter { _ in Bool.random(using: &random) }
      default:
        let id = Int.random(in: 0..<3, using: &random)
        if !contains(where: { $0.id == id }) { insert(make(id), at: Int.random(in: 0...count, using: &random)) }
      }
    }
  }

  // Sendable: it has no properties.
  private final class RandomTreeViewModel: RxViewModel<RandomTree, RandomTree>, @unchecked Sendable {
    override func createObservable(_ action: RandomTree) -> Effect {
      .just { _ in action }
    }
  }

  /// What a view shows of a tree.
  private struct TreePart: CustomStringConvertible {
    typealias Slice<Part: Sendable> = ViewModelSlice<RandomTree, Part>

    /// The way to the sections.
    enum Way: CaseIterable { case keyPath, slice, destination }

    enum SectionPart {
      case title, numberOfRows
      case row(Int, RowPart)
      case detailRow(Int, RowPart)
    }

    enum RowPart: CaseIterable { case name, text, note, items, firstItem, secondItem }

    let way: Way
    let section: Int
    let part: SectionPart

    static var all: [TreePart] {
      var all: [TreePart] = []
      for way in Way.allCases {
        for section in 0..<3 {
          var parts = [SectionPart.title, .numberOfRows]
          for row in 0..<3 { for part in RowPart.allCases { parts += [.row(row, part), .detailRow(row, part)] } }
          all += parts.map { TreePart(way: way, section: section, part: $0) }
        }
      }
      return all
    }

    var description: String { "\(way), section \(section), \(part)" }

    // MARK: In the plain tree

    /// The value, or the first part on the way that is absent.
    func seen(in tree: RandomTree) -> String {
      let board: RandomTree.Board
      switch way {
      case .keyPath, .slice: board = tree.board
      case .destination:
        guard let shown = tree.destination.board else { return "no board" }
        board = shown
      }
      guard let section = board.sections.first(where: { $0.id == self.section }) else { return "no section" }
      switch part {
      case .title: return "\(section.title)"
      case .numberOfRows: return "\(section.rows.count)"
      case .row(let id, let part): return seen(part, of: section.rows.first { $0.id == id })
      case .detailRow(let id, let part):
        guard let detail = section.detail else { return "no detail" }
        return seen(part, of: detail.rows.first { $0.id == id })
      }
    }

    private func seen(_ part: RowPart, of row: RandomTree.Row?) -> String {
      guard let row else { return "no row" }
      switch part {
      case .name: return "\(row.name)"
      case .text: return "\(row.form.text)"
      case .note: return row.form.note.map { "\($0)" } ?? "no note"
      case .items: return "\(row.items.count)"
      case .firstItem, .secondItem:
        let id = part == .firstItem ? 0 : 1
        return row.items.first { $0.id == id }.map { "\($0.name)" } ?? "no item"
      }
    }

    // MARK: Through slices

    @MainActor func read(_ viewModel: RandomTreeViewModel) -> String {
      let section: Slice<RandomTree.Section>?
      switch way {
      case .keyPath: section = viewModel.slice(\.board.sections, id: self.section, { $0 })
      case .slice:
        let board: Slice<RandomTree.Board> = viewModel.slice(\.board, { $0 })
        section = board.slice(\.sections, id: self.section, { $0 })
      case .destination:
        let board: Slice<RandomTree.Board>? = viewModel.slice(\.destination.board, { $0 })
        guard let board else { return "no board" }
        section = board.slice(\.sections, id: self.section, { $0 })
      }
      guard let section else { return "no section" }
      switch part {
      case .title: return "\(section.observed.title)"
      case .numberOfRows: return "\(section.observed[dynamicMember: \.rows.count])"
      case .row(let id, let part): return read(part, of: section.slice(\.rows, id: id, { $0 }))
      case .detailRow(let id, let part):
        let detail: Slice<RandomTree.Detail>? = section.slice(\.detail, { $0 })
        guard let detail else { return "no detail" }
        return read(part, of: detail.slice(\.rows, id: id, { $0 }))
      }
    }

    @MainActor private func read(_ part: RowPart, of row: Slice<RandomTree.Row>?) -> String {
      guard let row else { return "no row" }
      let form: Slice<RandomTree.Form> = row.slice(\.form, { $0 })
      switch part {
      case .name: return "\(row.observed.name)"
      case .text: return "\(form.observed.text)"
      case .note:
        let note: Slice<Int>? = form.slice(\.note, { $0 })
        return note.map { $0.observed.description } ?? "no note"
      case .items: return "\(row.observed[dynamicMember: \.items.count])"
      case .firstItem, .secondItem:
        let item: Slice<RandomTree.Item>? = row.slice(\.items, id: part == .firstItem ? 0 : 1, { $0 })
        return item.map { "\($0.observed.name)" } ?? "no item"
      }
    }
  }

  /// A view that observes a part, until it is notified.
  @MainActor
  private final class TreeView {
    let part: TreePart
    private(set) var shown = ""
    private(set) var isNotified = true

    init(_ part: TreePart) { self.part = part }

    /// Reads without being tracked if the view still waits for a notification.
    func read(_ viewModel: RandomTreeViewModel) -> String {
      if !isNotified { return part.read(viewModel) }
      isNotified = false
      shown = withObservationTracking {
        part.read(viewModel)
      } onChange: { [weak self] in
        MainActor.assumeIsolated { self?.isNotified = true }
      }
      return shown
    }
  }
#endif
