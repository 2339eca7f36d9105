import Testing

@testable import RxViewModel
@testable import TestSupport

// contract 1.2, 1.3, 1.10
@Suite struct SerialTests {
  // contract 1.4
  @Test func aDisposeInsideTheHandlerReleasesTheHandlerAndTheWaitingInputs() {
    let (lifetimes, scope) = (Lifetimes(), Scope())
    let serial: Serial<Lifetimes.Object>
    do {
      let object = lifetimes.make()
      weak var inner: Serial<Lifetimes.Object>?
      serial = Serial(in: scope) { [waiting = lifetimes.make()] _ in
        object.touch()
        _ = inner?.send(waiting)
        scope.dispose()
        return .more
      }
      inner = serial
      #expect(lifetimes.alive == 2)
      #expect(serial.send(object) == .noMore)
    }
    #expect(lifetimes.alive == 0)
  }

  @Test func inputsWaitForTheStart() {
    let log = Locked<[Int]>([])
    let serial = Serial<Int>(in: Scope())
    #expect(serial.send(1) == .more)
    #expect(serial.send(2) == .more)
    #expect(log.value == [])
    serial.start { number in
      log.mutate { $0.append(number) }
      return .more
    }
    #expect(log.value == [1, 2])
    #expect(serial.send(3) == .more)
    #expect(log.value == [1, 2, 3])
  }

  @Test func aClosedSerialHandlesNothing() {
    let (log, scope) = (Locked<[Int]>([]), Scope())
    let serial = Serial<Int>(in: scope)
    _ = serial.send(1)
    scope.dispose()
    serial.start { number in
      log.mutate { $0.append(number) }
      return .more
    }
    #expect(serial.send(2) == .noMore)
    #expect(log.value == [])
  }
}
