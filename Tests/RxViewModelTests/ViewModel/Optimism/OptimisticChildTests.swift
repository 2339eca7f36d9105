import RxViewModel
import Testing

@testable import TestSupport

// Contract 2.20, for children.
struct OptimisticChildTests {
  private func edit(_ row: Int, _ value: Int, _ mode: ExecutionMode = .parallel) -> FeedPlan {
    FeedPlan(row: row, rowChange: { $0.text.append(value) }, mode: mode)
  }

  @Test func aChildsChangeChangesItsPart() {
    let screen = FeedScreen([1, 2])
    let action = screen.execute(edit(2, 5))
    #expect(screen.state.rows == [.init(id: 1), .init(id: 2, text: [5])])
    screen.fail(action)
    #expect(screen.state.rows == [.init(id: 1), .init(id: 2)])
  }

  // A row inserted, edited while unconfirmed, deleted.
  @Test func aRowEditedWhileItIsUnconfirmed() {
    let screen = FeedScreen()
    let insert = screen.execute(.change { $0.insert(3) })
    let edit = screen.execute(edit(3, 5))
    screen.send(edit) { $0.append(6, to: 3) }
    screen.complete(edit)
    #expect(screen.state.rows == [.init(id: 3, text: [5, 6])])
    screen.complete(insert)
    let delete = screen.execute(.change { $0.remove(3) })
    screen.complete(delete)
    #expect(screen.ids == [])
  }

  @Test func theEditOfARowEndsWithTheInsertThatFails() {
    let screen = FeedScreen()
    let insert = screen.execute(.change { $0.insert(3) })
    let edit = screen.execute(edit(3, 5))
    screen.fail(insert)
    #expect(screen.ids == [] && !screen.isRunning(edit))
    #expect(screen.phases.value.suffix(2).map { String($0.prefix(8)) } == ["0 failed", "1 cancel"])
  }

  // The mapper of the edit runs, and the row has its text when the deletion fails.
  @Test func anEditGoesOnWhileTheDeletionOfItsRowIsUnconfirmed() {
    let screen = FeedScreen([1])
    let edit = screen.execute(edit(1, 5))
    let delete = screen.execute(.change { $0.remove(1) })
    #expect(screen.ids == [])
    screen.send(edit) { $0.append(6, to: 1) }
    screen.complete(edit)
    #expect(screen.ids == [])
    screen.fail(delete)
    #expect(screen.state.rows == [.init(id: 1, text: [5, 6])])
  }

  @Test func anEditEndsWhenTheDeletionOfItsRowIsConfirmed() {
    let screen = FeedScreen([1, 2])
    let edit = screen.execute(edit(1, 5))
    let delete = screen.execute(.change { $0.remove(1) })
    #expect(screen.isRunning(edit))
    screen.complete(delete)
    #expect(!screen.isRunning(edit) && screen.ids == [2])
    #expect(screen.phases.value.last == "0 cancelled")
  }

  @Test func aRowThatADeletionHidesTakesNoActions() {
    let screen = FeedScreen([1])
    let delete = screen.execute(.change { $0.remove(1) })
    screen.execute(edit(1, 5))
    #expect(screen.diagnosed.value.count == 1)
    screen.fail(delete)
    #expect(screen.state.rows == [.init(id: 1)])
  }

  // Something else inserts it again, and then the deletion is confirmed.
  @Test func aRowThatComesBackUnderADeletionKeepsItsActions() {
    let screen = FeedScreen([1])
    let edit = screen.execute(edit(1, 5))
    let delete = screen.execute(.change { $0.remove(1) })
    screen.type { $0.insert(1) }
    screen.complete(delete)
    #expect(screen.isRunning(edit) && screen.state.rows == [.init(id: 1)])
    screen.send(edit) { $0.append(6, to: 1) }
    #expect(screen.state.rows == [.init(id: 1, text: [6])])
  }

  // It waited for another edit, and starts while its row is hidden.
  @Test func anEditThatStartsWhileItsRowIsHidden() {
    let screen = FeedScreen([1])
    let (first, second) = (screen.execute(edit(1, 5, .sequence)), screen.execute(edit(1, 6, .sequence)))
    let delete = screen.execute(.change { $0.remove(1) })
    screen.complete(first)
    #expect(screen.isRunning(second))
    screen.send(second) { $0.append(7, to: 1) }
    screen.complete(second)
    screen.fail(delete)
    #expect(screen.state.rows == [.init(id: 1, text: [5, 6, 7])])
  }
}

// Contract 2.20: an unconfirmed change puts another child in the place of one whose actions go on.
struct ReplacedChildTests {
  private enum ReplacedAction: Sendable, Equatable {
    case edit(Int)
    case replace
  }

  /// One place, whose child is known by the number in its text.
  private struct Slot: Feature {
    let answers: PublishSubject<Int>

    func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Feed.Row>> {
      answers.mutate { $0.text.append($1) }
    }

    func optimisticUpdate(for action: Int) -> OptimisticUpdate<Feed.Row>? { .change { $0.text.append(action) } }
    func identity(of state: Feed.Row) -> AnyHashable? { state.text.first }
  }

  private struct SlotState: Sendable, Equatable { var slot = Feed.Row(id: 0, text: [1]) }

  @Test(arguments: [true, false]) func theOldChildsActionsNeverChangeTheNewOne(completes: Bool) {
    let (answers, replacing) = (PublishSubject<Int>(), PublishSubject<Int>())
    let diagnosed = Locked(0)
    let screen = ClosureViewModel<ReplacedAction, SlotState>(SlotState(), scheduler: ImmediateScheduler()) { _, _ in
      replacing.ignoreElements()
    } overrides: {
      $0.child = { _, action in
        guard case .edit(let value) = action else { return nil }
        return .init(Slot(answers: answers), value, at: \.slot, as: { .edit($0) })
      }
      $0.update = { _, action in action == .replace ? .change { $0.slot.text = [2] } : nil }
      $0.diagnose = { _, _ in diagnosed.increment() }
    }
    screen.execute(.edit(5))
    screen.execute(.replace)
    #expect(screen.currentState.slot.text == [2])
    screen.execute(.edit(6))
    #expect(screen.currentState.slot.text == [2] && diagnosed.value == 1)
    answers.onNext(7)
    #expect(screen.currentState.slot.text == [2])
    if completes { replacing.onCompleted() } else { replacing.onError(Offline()) }
    #expect(screen.currentState.slot.text == (completes ? [2] : [1, 5, 7]))
    #expect(answers.hasObservers == !completes)
  }
}

// Contract 2.20: two unconfirmed changes hide a child, one of them with its parent.
struct TwiceHiddenChildTests {
  private enum RowAction: Sendable, Equatable {
    case edit(Int)
    case removePart
  }

  private struct Row: Sendable, Equatable, Identifiable {
    var id = 1
    var part: Feed.Row? = .init(id: 2)
  }

  private struct PartFeature: Feature {
    let answers: PublishSubject<Int>

    func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Feed.Row>> {
      answers.mutate { $0.text.append($1) }
    }
  }

  private struct RowFeature: Feature {
    let answers: PublishSubject<Int>

    func child(for action: RowAction) -> ChildAction<RowAction, Row>? {
      guard case .edit(let value) = action else { return nil }
      return .init(PartFeature(answers: answers), value, at: \.part, as: { .edit($0) })
    }

    func createObservable(_ action: RowAction, context: FeatureContext<Self>) -> Observable<StateMapper<Row>> {
      .never()
    }

    func optimisticUpdate(for action: RowAction) -> OptimisticUpdate<Row>? {
      action == .removePart ? .change { $0.part = nil } : nil
    }
  }

  @Test func itsActionGoesOnUntilARemovalIsConfirmed() {
    let answers = PublishSubject<Int>()
    let screen = ClosureViewModel<RowAction?, [Row]>([Row()], scheduler: ImmediateScheduler()) { _, _ in
      .never()
    } overrides: {
      $0.child = { _, action in
        action.map { .init(RowFeature(answers: answers), $0, at: \.self, id: 1, as: { $0 }) }
      }
      // Nil removes the row.
      $0.update = { _, action in action == nil ? .change { $0 = [] } : nil }
    }
    for action in [RowAction.edit(5), .removePart, nil] { screen.execute(action) }
    #expect(screen.currentState == [] && answers.hasObservers)
    screen.cancelActions { $0 != .edit(5) }
    answers.onNext(7)
    #expect(screen.currentState.first?.part?.text == [7])
  }
}

// Contract 2.19, 2.20: `updating` belongs to the folds of its child.
struct OptimisticUpdatingTests {
  private struct Rows: Sendable, Equatable { var (rows, edits) = ([Feed.Row](), 0) }

  private struct Row: Feature {
    func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Feed.Row>> {
      .mutate { $0.text.append(action) }
    }
  }

  @Test func itDoesNotRunAgainWhereTheChildIsAbsent() {
    let screen = ClosureViewModel<Int, Rows>(Rows(), scheduler: ImmediateScheduler()) { _, _ in
      .never()
    } overrides: {
      $0.child = { _, action in
        action == 0 ? nil : .init(Row(), action, at: \.rows, id: 3, as: { $0 }).updating { $0.edits += 1 }
      }
      $0.update = { _, action in action == 0 ? .change { $0.rows.append(.init(id: 3)) } : nil }
    }
    for action in [0, 5] { screen.execute(action) }
    #expect(screen.currentState == Rows(rows: [.init(id: 3, text: [5])], edits: 1))
    screen.cancelActions { $0 == 0 }
    #expect(screen.currentState == Rows())
  }
}
