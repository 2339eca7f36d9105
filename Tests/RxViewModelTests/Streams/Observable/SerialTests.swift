import Testing

@testable import RxViewModel
@testable import TestSupport

// contract 1.2, 1.3, 1.10
@Suite struct SerialTests {
  @Test func anInputIsHandledOnTheThreadThatSendsIt() {
    let (serial, log) = Self.serial()
    #expect(serial.send(1) == .more)
    #expect(log.value == [1])
    #expect(serial.isOpen)
  }

  @Test func anInputSentFromInsideTheHandlerWaitsUntilTheHandlerHasReturned() {
    let log = Locked<[String]>([])
    weak var inner: Serial<Int>?
    let serial = Serial<Int>(in: Scope()) { number in
      log.mutate { $0.append("begin \(number)") }
      if number == 1 {
        let demand = inner?.send(2)
        log.mutate { $0.append("sent: \(demand!)") }
      }
      log.mutate { $0.append("end \(number)") }
      return .more
    }
    inner = serial
    #expect(serial.send(1) == .more)
    #expect(log.value == ["begin 1", "sent: more", "end 1", "begin 2", "end 2"])
  }

  @Test func noMoreClosesAndDropsTheWaitingInputs() {
    let log = Locked<[Int]>([])
    weak var inner: Serial<Int>?
    let serial = Serial<Int>(in: Scope()) { number in
      log.mutate { $0.append(number) }
      _ = inner?.send(number + 1)
      return .noMore
    }
    inner = serial
    #expect(serial.send(1) == .noMore)
    #expect(!serial.isOpen)
    #expect(serial.send(3) == .noMore)
    #expect(log.value == [1])
  }

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

  // contract 1.10
  @Test func aThreadHandlesTheInputsOfOthers() async {
    let log = Locked<[Int]>([])
    await onThread {
      weak var inner: Serial<Int>?
      let serial = Serial<Int>(in: Scope()) { [log] number in
        log.mutate { $0.append(number) }
        if number == 0 {
          let serial = inner!
          onOtherThread { for number in 1...2_000 { #expect(serial.send(number) == .more) } }
        }
        return .more
      }
      inner = serial
      #expect(serial.send(0) == .more)
      #expect(log.value.elementsEqual(0...2_000))
    }
  }

  // contract 1.4
  @Test func aDisposedScopeClosesItsQueue() {
    let (scope, lifetimes, log) = (Scope(), Lifetimes(), Locked<[Int]>([]))
    let serial: Serial<Int>
    do {
      let object = lifetimes.make()
      serial = Serial(in: scope) { number in
        object.touch()
        log.mutate { $0.append(number) }
        if number == 1 { scope.dispose() }
        return .more
      }
    }
    #expect(serial.send(0) == .more)
    #expect(serial.send(1) == .noMore)
    #expect(serial.send(2) == .noMore)
    #expect(!serial.isOpen)
    #expect(log.value == [0, 1])
    #expect(lifetimes.alive == 0)
  }

  private static func serial() -> (Serial<Int>, Locked<[Int]>) {
    let log = Locked<[Int]>([])
    let serial = Serial<Int>(in: Scope()) { number in
      log.mutate { $0.append(number) }
      return .more
    }
    return (serial, log)
  }
}
