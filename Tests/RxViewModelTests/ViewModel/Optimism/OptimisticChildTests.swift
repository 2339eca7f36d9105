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
