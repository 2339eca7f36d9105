import Testing

@testable import RxViewModel

/// contract 1.2, 1.10
@Suite(.ownThread) struct DeliveryQueueTests {
  @Test func theFirstThreadDelivers() {
    let queue = Probe(.idle)
    #expect(queue.accept(1) == "deliver")
    #expect(queue.value.isDeliveredHere)
    #expect(queue.accept(2) == "queued")
    #expect(queue.next() == "deliver 2")
    #expect(queue.next() == "stop")
    #expect(queue.value.isIdle)
  }

  @Test func aThreadDeliversAllItsOwnItems() {
    let queue = Probe(.idle)
    _ = queue.accept(0)
    for number in 1...10_000 { _ = queue.accept(number) }
    for number in 1...10_000 { #expect(queue.next() == "deliver \(number)") }
    #expect(queue.next() == "stop")
  }

  @Test func aThreadDelivers1024ItemsOfOthers() {
    let queue = Probe(.delivering(otherThread))
    for number in 1...1_024 { _ = queue.accept(number) }
    for number in 1...1_024 { #expect(queue.next() == "deliver \(number)") }
    _ = queue.accept(1_025)
    #expect(queue.next() == "hand over")
    #expect(!queue.isTakenBack())
    #expect(!queue.value.isIdle)
  }

  @Test func theItemsOfTheDeliveringThreadDoNotCount() {
    let queue = Probe(.delivering(otherThread))
    for number in 1...1_024 { _ = queue.accept(number) }
    queue.value.status = .delivering(.current)
    for number in 1_025...5_000 { _ = queue.accept(number) }
    queue.value.status = .delivering(otherThread)
    _ = queue.accept(5_001)
    for number in 1...5_000 { #expect(queue.next() == "deliver \(number)") }
    #expect(queue.next() == "hand over")
  }

  @Test func theNextThreadThatSendsTakesOver() {
    let queue = handedOver(waiting: 3)
    #expect(queue.accept(4) == "take over")
    #expect(queue.value.isDeliveredHere)
    for number in 1...4 { #expect(queue.next() == "deliver \(number)") }
    #expect(queue.next() == "stop")
    // The continuation comes too late.
    #expect(!queue.resume())
    #expect(queue.value.isIdle)
  }

  @Test func theItemsThatASenderTakesOverCount() {
    let queue = handedOver(waiting: 2_000)
    _ = queue.accept(2_001)
    for number in 1...1_024 { #expect(queue.next() == "deliver \(number)") }
    // The continuation has not run yet.
    #expect(queue.next() == "stop")
    #expect(!queue.value.isIdle)
  }

  // contract 1.6
  @Test func aContinuationThatTheSchedulerRunsAtOnceLeavesTheRestToTheLoop() {
    let queue = handedOver(waiting: 2_000)
    #expect(queue.resume())
    for number in 1...1_024 { #expect(queue.next() == "deliver \(number)") }
    #expect(queue.next() == "hand over")
    #expect(!queue.resume())
    #expect(queue.isTakenBack())
    for number in 1_025...2_000 { #expect(queue.next() == "deliver \(number)") }
    #expect(queue.next() == "stop")
  }

  @Test func anotherThreadMayContinueWhileTheContinuationIsBeingScheduled() {
    let queue = Probe(.handingOver(otherThread))
    queue.value.items.append(1)
    #expect(queue.resume())
    #expect(queue.next() == "deliver 1")
  }

  @Test func aContinuationTakesTurnsUntilNothingWaits() {
    let queue = handedOver(waiting: 2_500)
    #expect(queue.resume())
    for number in 1...1_024 { #expect(queue.next() == "deliver \(number)") }
    #expect(queue.next() == "hand over")
    #expect(!queue.isTakenBack())
    #expect(queue.resume())
    for number in 1_025...2_048 { #expect(queue.next() == "deliver \(number)") }
    #expect(queue.next() == "hand over")
    #expect(!queue.isTakenBack())
    #expect(queue.resume())
    for number in 2_049...2_500 { #expect(queue.next() == "deliver \(number)") }
    #expect(queue.next() == "stop")
  }

  /// A queue with the numbers from 1 to `count`, whose continuation has not run yet.
  private func handedOver(waiting count: Int) -> Probe {
    let queue = Probe(.handedOver)
    queue.value.hasContinuation = true
    for number in 1...count { queue.value.items.append(number) }
    return queue
  }

  private let otherThread: ThreadID = {
    let thread = Locked<ThreadID?>(nil)
    onOtherThread { thread.mutate { $0 = .current } }
    return thread.value!
  }()
}

/// Describes the answers of a queue in words.
private final class Probe {
  var value: DeliveryQueue<Int>

  init(_ status: DeliveryQueue<Int>.Status) {
    value = DeliveryQueue(status)
  }

  func accept(_ number: Int) -> String {
    switch value.accept(number) {
    case .deliver: "deliver"
    case .takeOver: "take over"
    case .queued: "queued"
    }
  }

  func next() -> String {
    switch value.next() {
    case .deliver(let number): "deliver \(number)"
    case .stop: "stop"
    case .handOver: "hand over"
    }
  }

  func resume() -> Bool {
    value.resume()
  }

  func isTakenBack() -> Bool {
    value.isTakenBack()
  }
}
