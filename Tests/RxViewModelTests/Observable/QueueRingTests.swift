import Testing

@testable import RxViewModel

@Suite struct QueueRingTests {
  // contract 1.2: first in, first out, whatever the order of the two; compared with an array
  @Test(arguments: 0..<50) func aQueueIsFirstInFirstOut(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var (queue, array) = (Queue<String>(), [String]())
    for step in 0..<400 {
      if Int.random(in: 0..<100, using: &random) < 45 + seed % 10 {
        queue.append("\(step)")
        array.append("\(step)")
      } else {
        #expect(queue.popFirst() == (array.isEmpty ? nil : array.removeFirst()))
      }
      #expect(queue.count == array.count)
      #expect(queue.first == array.first)
    }
    #expect(queue.elements == array)
    if !array.isEmpty {
      queue[array.count - 1] = "last"
      array[array.count - 1] = "last"
    }
    queue.removeAll { $0.count == 2 }
    array.removeAll { $0.count == 2 }
    #expect(queue.elements == array)
  }

  // contract 1.2: a copy is a value of its own
  @Test func aCopyDoesNotSeeWhatChangesInTheOriginal() {
    var queue = Queue<Int>()
    for number in 0..<5 { queue.append(number) }
    var copy = queue
    #expect(queue.popFirst() == 0)
    copy.append(5)
    copy[0] = 10
    #expect(queue.elements == [1, 2, 3, 4])
    #expect(copy.elements == [10, 1, 2, 3, 4, 5])
  }

  // contract 1.4: what leaves the queue is released at once, and the rest with the queue
  @Test func elementsAreReleasedWhenTheyLeave() {
    final class Object: Sendable {}
    weak var first: Object?
    weak var second: Object?
    do {
      var queue = Queue<Object>()
      do {
        let (a, b) = (Object(), Object())
        (first, second) = (a, b)
        queue.append(a)
        queue.append(b)
      }
      _ = queue.popFirst()
      #expect(first == nil)
      #expect(second != nil)
      withExtendedLifetime(queue) {}
    }
    #expect(second == nil)
  }
}
