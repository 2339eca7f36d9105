import Testing

@testable import RxViewModel

@Suite struct SubjectCoreTests {
  // contract 2.3, 2.5: what the engine commits under its lock is there for readers before it is delivered
  @Test func anElementIsAcceptedBeforeItIsDelivered() {
    let core = SubjectCore(bufferSize: 1, buffered: [0])
    let (seen, late) = (Locked<[Int]>([]), Locked<[Int]>([]))
    var delivery = Delivery<Int>()
    _ = Observable { core.connect($0) }.subscribe(onNext: { number in seen.mutate { $0.append(number) } })
    let acceptance = core.accept(1, &delivery)
    #expect(core.state.withLock { $0.buffer.last } == 1)
    #expect(delivery.displaced == 0)
    #expect(seen.value == [0])
    _ = Observable { core.connect($0) }.subscribe(onNext: { number in late.mutate { $0.append(number) } })
    #expect(late.value == [1])
    core.deliver(1, acceptance, &delivery)
    #expect(delivery.displaced == nil)
    #expect(seen.value == [0, 1])
    // It has come by replay.
    #expect(late.value == [1])
    core.deliver(2, core.accept(2, &delivery), &delivery)
    #expect(seen.value == [0, 1, 2])
    #expect(late.value == [1, 2])
  }

  @Test func anElementIsAcceptedDuringADelivery() {
    let core = SubjectCore<Int>()
    let seen = Locked<[Int]>([])
    _ = Observable { core.connect($0) }.subscribe(onNext: { number in
      seen.mutate { $0.append(number) }
      guard number == 1 else { return }
      var delivery = Delivery<Int>()
      core.deliver(2, core.accept(2, &delivery), &delivery)
      #expect(seen.value == [1])
    })
    core.send(1)
    #expect(seen.value == [1, 2])
  }
}

@Suite struct EventTests {
  // contract 1.9: the event lends the element and neither copies nor releases it
  @Test func anEventAroundAnElementKeepsItsReferencesAsTheyAre() {
    final class Object: Sendable {}
    weak var weakObject: Object?
    do {
      let object = Object()
      weakObject = object
      Event.withNext(object) { pointer in
        Event.borrow(pointer) { event in
          event.visit {
            #expect($0 === object)
          } error: { _ in
          } completed: {
          }
          #expect(!event.isTerminal)
        }
        // A copy counts as any other does.
        var kept: Event<Object>? = pointer.pointee
        kept = nil
        _ = kept
      }
      #expect(weakObject != nil)
    }
    #expect(weakObject == nil)
  }
}
