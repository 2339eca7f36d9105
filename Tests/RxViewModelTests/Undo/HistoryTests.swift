import Foundation
import RxViewModel
import Testing

struct HistoryTests {
  private func history(_ values: Int..., limit: Int = 100) -> History<Int> {
    var history = History(values[0], limit: limit)
    for value in values.dropFirst() { history.value = value }
    return history
  }

  /// Performs the steps: `u` undoes, `r` redoes, `[` begins a group, `]` ends it, `x` cancels it, and a number is assigned.
  private func perform(_ steps: String, on history: inout History<Int>) {
    for step in steps.split(separator: " ") {
      switch step {
      case "u": history.undo()
      case "r": history.redo()
      case "[": history.beginGroup()
      case "]": history.endGroup()
      case "x": history.cancelGroup()
      default: history.value = Int(step)!
      }
    }
  }

  @Test(arguments: [
    // Each assignment is a step, an undo takes one back, and a redo takes an undo back.
    ("2 3 u", "2 ur"), ("2 3 u u", "1 r"), ("2 3 u u u", "1 r"), ("2 3 u u r", "2 ur"), ("2 3 u u r r", "3 u"),
    ("2 3 u u r r r", "3 u"),
    // A change after an undo forgets the undone steps.
    ("2 3 u 4", "4 u"), ("2 3 u 4 u", "2 ur"),
    // An equal value is no step, and keeps what can be redone.
    ("1", "1"), ("2 u 1", "1 r"),
    // A group is one step, without a change none.
    ("2 [ 3 4", "4 u"), ("2 [ 3 4 ] u", "2 ur"), ("2 [ 3 4 ] u r", "4 u"), ("[ 1 ]", "1"), ("2 [", "2 u"),
    // An undo inside a group undoes the group.
    ("2 [ 3 u", "2 ur"), ("2 [ 3 u 5 u", "2 ur"),
    // A cancelled group leaves nothing, and keeps what can be redone.
    ("2 [ 3 x", "2 u"), ("2 [ 3 x x ] u", "1 r"), ("2 u [ 3 x", "1 r"), ("2 u [ 3 x r", "2 u"),
    // A group with a change forgets the undone steps.
    ("2 u [ 3", "3 u"), ("2 u [ 3 r", "3 u"),
    // A group that begins inside a group ends it.
    ("[ 2 [ 3 x", "2 u"), ("[ 2 [ 3 x u", "1 r"),
  ])
  func stepsAreTakenBackAndRedone(steps: String, expected: String) {
    var history = history(1)
    perform(steps, on: &history)
    let possible = (history.canUndo ? "u" : "") + (history.canRedo ? "r" : "")
    #expect("\(history.value) \(possible)".trimmingCharacters(in: .whitespaces) == expected)
  }

  @Test func historiesWithTheSameStepsAreEqual() {
    for steps in ["2 3 u u r r", "2 3 [ 4 x", "2 [ 3 ]", "2 3 [ 3 ]"] {
      var one = history(1)
      perform(steps, on: &one)
      #expect(one == history(1, 2, 3), "\(steps)")
    }
    #expect(history(1, 2) != history(2))
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
    #expect(read.value == 2 && !read.canUndo)
  }

  @Test func theOldestStepsAreForgotten() {
    var history = history(1, 2, 3, 4, limit: 2)
    while history.canUndo { history.undo() }
    #expect(history.value == 2)
    while history.canRedo { history.redo() }
    #expect(history.value == 4)
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
}
