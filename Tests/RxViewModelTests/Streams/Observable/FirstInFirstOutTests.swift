import RxViewModelTesting
import Testing

@testable import RxViewModel
@testable import TestSupport

struct FirstInFirstOutTests {
  // Compares with an array, through every shift of the head
  @Test func elementsLeaveInTheOrderInWhichTheyCame() {
    var (queue, array, random) = (Queue<Int>(), [Int](), SplitMix64(seed: 7))
    for number in 0..<20_000 {
      if Bool.random(using: &random) || number % 500 < 100 {
        queue.append(number)
        array.append(number)
      } else {
        expectFirst(of: &queue, array.isEmpty ? nil : array.removeFirst())
      }
      #expect(queue.count == array.count && queue.isEmpty == array.isEmpty && queue.first == array.first)
    }
    #expect(queue.elements == array)
  }

  @Test func elementsAreRemovedAndReplacedAfterTheHead() {
    var queue = Queue<Int>()
    for number in 0..<10 { queue.append(number) }
    _ = queue.popFirst()
    queue[0] = 20
    queue.removeAll { $0 % 2 == 1 }
    #expect(queue.elements == [20, 2, 4, 6, 8])
    expectFirst(of: &queue, 20)
  }

  @Test func anElementIsReleasedWhenItLeaves() {
    let lifetimes = Lifetimes()
    var queue = Queue<Lifetimes.Object>()
    for _ in 0..<3 { queue.append(lifetimes.make()) }
    _ = queue.popFirst()
    #expect(lifetimes.alive == 2)
  }

  @Test func anEmptiedQueueGivesItsMemoryBack() {
    var queue = Queue<Int>()
    for number in 0..<10_000 { queue.append(number) }
    while queue.popFirst() != nil {}
    #expect(queue.places.capacity == 0)
  }

  // The queue reuses the memory of removed elements, although it is never empty.
  @Test func aQueueThatIsNeverEmptyDoesNotGrow() {
    var queue = Queue<Int>()
    queue.append(0)
    for number in 1...100_000 {
      queue.append(number)
      _ = queue.popFirst()
    }
    #expect(queue.places.capacity <= 64)
  }

  private func expectFirst(of queue: inout Queue<Int>, _ expected: Int?) {
    let first = queue.popFirst()
    #expect(first == expected)
  }
}

extension Queue {
  fileprivate var elements: [Element] { indices.map { self[$0] } }
}
