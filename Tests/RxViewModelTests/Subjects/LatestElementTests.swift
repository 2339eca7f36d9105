import Testing

@testable import RxViewModel

@Suite struct LatestElementTests {
  final class Counted: Sendable {
    let onDeinit: @Sendable () -> Void

    init(_ onDeinit: @escaping @Sendable () -> Void) {
      self.onDeinit = onDeinit
    }

    deinit { onDeinit() }
  }

  // contract 2.5
  @Test func theNextElementIsMadeFromTheCurrentOneAndReplacesIt() {
    let latest = LatestElement<String>.make()
    latest.next.initialize(to: "a")
    latest.hasNext = true
    latest.advance()
    #expect(latest.hasCurrent && !latest.hasNext)
    latest.makeNext { $0 + "b" }
    #expect(latest.current.pointee == "a")
    latest.advance()
    #expect(latest.current.pointee == "ab")
    #expect(latest.next.pointee == "a")
    latest.dropNext()
    #expect(!latest.hasNext)
  }

  // contract 2.6
  @Test func anErrorWhileTheNextElementIsMadeKeepsTheCurrentOne() {
    struct Failure: Error {}
    let latest = ReplayBuffer("a").latest!
    #expect(throws: Failure.self) { try latest.makeNext { _ in throw Failure() } }
    #expect(latest.current.pointee == "a")
    #expect(!latest.hasNext)
  }

  // contract 1.4: each element is released once, also if it is still stored when the memory is freed
  @Test func everyElementIsReleasedOnce() {
    let released = Lock(0)
    func make() -> Counted { Counted { released.withLock { $0 += 1 } } }
    do {
      let latest = ReplayBuffer(make()).latest!
      latest.makeNext { _ in make() }
      latest.advance()
      #expect(released.withLock { $0 } == 0)
      latest.dropNext()
      #expect(released.withLock { $0 } == 1)
      latest.makeNext { _ in make() }
      withExtendedLifetime(latest) {}
    }
    #expect(released.withLock { $0 } == 3)
    do {
      let latest = ReplayBuffer(make()).latest!
      latest.makeNext { _ in make() }
      var removed: (Counted?, Counted?) = latest.removeAll()
      #expect(removed.0 != nil && removed.1 != nil && released.withLock { $0 } == 3)
      removed = (nil, nil)
      #expect(removed.0 == nil && removed.1 == nil)
    }
    #expect(released.withLock { $0 } == 5)
  }
}
