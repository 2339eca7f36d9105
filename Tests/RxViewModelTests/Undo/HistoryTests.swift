import Foundation
import RxViewModel
import Testing

@Suite struct HistoryTests {
  private func history(_ values: Int..., limit: Int = 100) -> History<Int> {
    var history = History(values[0], limit: limit)
    for value in values.dropFirst() { history.value = value }
    return history
  }

  @Test func eachAssignmentIsAStep() {
    var history = history(1, 2, 3)
    history.undo()
    #expect(history.value == 2)
    history.undo()
    #expect(history.value == 1)
    #expect(!history.canUndo)
    history.undo()
    #expect(history.value == 1)
  }

  @Test func aRedoTakesAnUndoBack() {
    var history = history(1, 2, 3)
    #expect(!history.canRedo)
    history.undo()
    history.undo()
    history.redo()
    #expect(history.value == 2)
    history.redo()
    #expect(history.value == 3)
    #expect(!history.canRedo)
    history.redo()
    #expect(history == self.history(1, 2, 3))
  }

  @Test func aChangeAfterAnUndoForgetsTheUndoneSteps() {
    var history = history(1, 2, 3)
    history.undo()
    history.value = 4
    #expect(!history.canRedo)
    history.undo()
    #expect(history.value == 2)
  }

  @Test func anEqualValueIsNoStepAndKeepsWhatCanBeRedone() {
    var history = history(1, 2)
    history.undo()
    history.value = 1
    #expect(!history.canUndo)
    #expect(history.canRedo)
  }

  // Without `==`, the history cannot tell.
  @Test func eachAssignmentOfAValueWithoutEqualityIsAStep() {
    struct Opaque: Sendable { var number = 1 }
    var history = History(Opaque())
    history.value.number = 1
    #expect(history.canUndo)
  }

  @Test func aGroupThatComesBackToItsBeginningIsNoStep() {
    var history = history(1, 2)
    history.undo()
    history.beginGroup()
    history.value = 3
    history.value = 1
    #expect(!history.canUndo)
    history.endGroup()
    #expect(!history.canUndo)
    history.redo()
    #expect(history.value == 2)
  }

  @Test func aHistoryThatWasSavedWithTheLimitZeroKeepsNoStep() throws {
    let saved = String(decoding: try JSONEncoder().encode(history(1)), as: UTF8.self)
    let edited = saved.replacingOccurrences(of: #""limit":100"#, with: #""limit":0"#)
    #expect(edited != saved)
    var read = try JSONDecoder().decode(History<Int>.self, from: Data(edited.utf8))
    read.value = 2
    #expect(read.value == 2)
    #expect(!read.canUndo)
  }

  @Test func theOldestStepsAreForgotten() {
    var history = history(1, 2, 3, 4, limit: 2)
    while history.canUndo { history.undo() }
    #expect(history.value == 2)
    while history.canRedo { history.redo() }
    #expect(history.value == 4)
  }

  @Test func aGroupIsOneStep() {
    var history = history(1, 2)
    history.beginGroup()
    history.value = 3
    history.value = 4
    #expect(history.value == 4)
    history.endGroup()
    history.undo()
    #expect(history.value == 2)
    history.redo()
    #expect(history.value == 4)
  }

  @Test func aGroupWithoutAChangeIsNoStep() {
    var history = history(1)
    history.beginGroup()
    history.value = 1
    history.endGroup()
    #expect(!history.canUndo)
    #expect(history == History(1))
  }

  @Test func anUndoInsideAGroupUndoesTheGroup() {
    var history = history(1, 2)
    history.beginGroup()
    #expect(history.canUndo)
    history.value = 3
    history.undo()
    #expect(history.value == 2)
    history.value = 5
    history.undo()
    #expect(history.value == 2)
  }

  @Test func aCancelledGroupLeavesNothing() {
    var history = history(1, 2)
    history.beginGroup()
    history.value = 3
    history.cancelGroup()
    #expect(history == self.history(1, 2))
    history.cancelGroup()
    history.endGroup()
    #expect(history == self.history(1, 2))
  }

  @Test func aCancelledGroupKeepsWhatCanBeRedone() {
    var history = history(1, 2)
    history.undo()
    history.beginGroup()
    history.value = 3
    #expect(!history.canRedo)
    history.cancelGroup()
    history.redo()
    #expect(history.value == 2)
  }

  @Test func aGroupWithAChangeForgetsTheUndoneSteps() {
    var history = history(1, 2)
    history.undo()
    history.beginGroup()
    history.value = 3
    history.redo()
    #expect(history.value == 3)
    #expect(!history.canRedo)
  }

  @Test func aGroupThatBeginsInsideAGroupEndsIt() {
    var history = history(1)
    history.beginGroup()
    history.value = 2
    history.beginGroup()
    history.value = 3
    history.cancelGroup()
    #expect(history == self.history(1, 2))
  }

  @Test func anOptionalValueCanBeNil() {
    var history = History<Int?>(nil)
    history.beginGroup()
    history.value = 1
    history.endGroup()
    #expect(history.canUndo)
    history.undo()
    #expect(history.value == nil)
    history.beginGroup()
    history.value = 1
    history.value = nil
    #expect(!history.canUndo)
  }

  @Test func aHistoryIsSavedWithItsSteps() throws {
    var saved = history(1, 2, 3)
    saved.undo()
    saved.beginGroup()
    let read = try JSONDecoder().decode(History<Int>.self, from: JSONEncoder().encode(saved))
    #expect(read == saved)
    #expect(Set([read, saved]).count == 1)
  }

  // The steps share the elements, so a thousand steps of a large value need no thousand copies.
  @Test func stepsShareWhatTheyHaveInCommon() {
    struct Board: Sendable {
      var cells = [Int](repeating: 0, count: 1_000)
      var title = 0
    }
    var history = History(Board(), limit: 10)
    let before = history.value.cells.withUnsafeBufferPointer { $0.baseAddress }
    for number in 1...5 { history.value.title = number }
    let after = history.value.cells.withUnsafeBufferPointer { $0.baseAddress }
    history.undo()
    #expect(before == after)
    #expect(history.value.cells.withUnsafeBufferPointer { $0.baseAddress } == before)
    #expect(history.value.title == 4)
  }
}
