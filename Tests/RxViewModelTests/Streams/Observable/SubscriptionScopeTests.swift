import Testing

@testable import RxViewModel
@testable import TestSupport

// contract 1.4
struct SubscriptionScopeTests {
  private let log = Locked<[String]>([])

  @Test func childrenAreDisposedFirstInOrderAndThenTheNewestResource() {
    let scope = Scope()
    scope.add(entry("oldest"))
    scope.child()?.add(entry("first child"))
    scope.add(entry("older"))
    let second = scope.child()
    second?.add(entry("second child"))
    second?.child()?.add(entry("grandchild"))
    scope.add(entry("newest"))
    scope.dispose()
    scope.dispose()
    #expect(log.value == ["first child", "grandchild", "second child", "newest", "older", "oldest"])
  }

  @Test func aClosedScopeRetainsNothing() {
    let scope = Scope()
    #expect(scope.end())
    #expect(!scope.end() && !scope.isOpen)
    #expect(scope.child() == nil)
    #expect(!scope.add(entry("late")))
    #expect(log.value == ["late"])
  }

  @Test func allScopesAreClosedBeforeTheFirstResourceIsDisposed() {
    let scope = Scope()
    let (first, second) = (scope.child(), scope.child())
    first?.add(
      Disposables.create { [log] in
        let states = [scope, second].map { $0?.isOpen == true }
        log.mutate { $0.append("\(states)") }
        second?.dispose()
        scope.dispose()
      })
    second?.add(entry("second"))
    scope.dispose()
    #expect(log.value == ["[false, false]", "second"])
  }

  @Test func closedChildrenAreReleased() {
    let scope = Scope()
    let children = (0..<10_000).map { _ in
      let child = Weak(object: scope.child())
      child.object?.dispose()
      return child
    }
    #expect(children.filter { $0.object != nil }.count <= 8)
  }

  @Test func openChildrenAreKeptWhenClosedOnesAreRemoved() {
    let scope = Scope()
    for number in 0..<1_000 {
      let child = scope.child()
      if number % 10 == 0 { child?.add(entry("\(number)")) } else { child?.dispose() }
    }
    scope.dispose()
    #expect(log.value == stride(from: 0, to: 1_000, by: 10).map { "\($0)" })
  }

  // contract 1.6
  @Test(arguments: [true, false])
  func aHundredThousandChildrenAreReleasedWithoutRecursion(isDisposed: Bool) async {
    await onThread(stackSize: smallStack) {
      let scope = Scope()
      for _ in 0..<100_000 { _ = scope.child() }
      if isDisposed { scope.dispose() }
    }
  }

  private func entry(_ name: String) -> any Disposable {
    Disposables.create { [log] in log.mutate { $0.append(name) } }
  }
}

// contract 1.2, 1.3, 1.10
struct SerialTests {
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
}
