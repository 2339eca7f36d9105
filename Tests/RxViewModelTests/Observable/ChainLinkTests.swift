import Testing

@testable import RxViewModel

// contract 1.6
@Suite struct ChainLinkTests {
  /// Holds the next node, by a link.
  private final class Node: Sendable {
    let next: ChainLink<Node?>
    let object: Lifetimes.Object

    init(_ next: Node?, _ object: Lifetimes.Object) {
      self.next = ChainLink(next)
      self.object = object
    }
  }

  @Test func aLinkHoldsItsValue() {
    let lifetimes = Lifetimes()
    let link = ChainLink(lifetimes.make())
    #expect(lifetimes.alive == 1)
    link.value.touch()
  }

  @Test func aLongChainIsReleasedWithoutRecursion() async {
    let lifetimes = Lifetimes()
    await onThread(stackSize: smallStack) {
      var chain: Node?
      for _ in 0..<100_000 { chain = Node(chain, lifetimes.make()) }
      #expect(lifetimes.alive == 100_000)
      chain = nil
      #expect(lifetimes.alive == 0)
    }
  }

  // What a release drops from inside is released when the outer object has been.
  @Test func aNestedReleaseWaitsForTheOuterOne() {
    final class Probe: Sendable {
      let name: String
      let log: Locked<[String]>
      let inner: Locked<AnyObject?>

      init(_ name: String, _ log: Locked<[String]>, inner: AnyObject? = nil) {
        (self.name, self.log, self.inner) = (name, log, Locked(inner))
      }

      deinit {
        log.mutate { $0.append("begin \(name)") }
        var object: AnyObject? = inner.mutate { $0.take() }
        if object != nil { ReleaseQueue.release(&object) }
        log.mutate { $0.append("end \(name)") }
      }
    }
    let log = Locked<[String]>([])
    var object: AnyObject? = Probe("outer", log, inner: Probe("inner", log))
    ReleaseQueue.release(&object)
    #expect(object == nil)
    #expect(log.value == ["begin outer", "end outer", "begin inner", "end inner"])
  }

  @Test func threadsReleaseIndependently() async {
    let lifetimes = Lifetimes()
    await race(threads: 4) { _ in
      var chain: Node?
      for _ in 0..<1_000 { chain = Node(chain, lifetimes.make()) }
      chain = nil
    }
    #expect(lifetimes.alive == 0)
  }
}
