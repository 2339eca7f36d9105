import RxViewModel
import Testing

@testable import TestSupport

// contract 5: a value that changes at each read, and one that does not equal itself
@Suite struct UnsteadyPropertyTests {
  /// A property whose value differs at each of the first 10,000 reads.
  private func movingProperty(_ reads: Locked<Int>) -> MutableProperty<Int> {
    MutableProperty(
      get: {
        reads.mutate {
          $0 = min($0 + 1, 10_000)
          return $0
        }
      }, set: { _ in })
  }

  // contract 5: in a callback of the property, a read returns the value read last
  @Test func aClockMayBeReadInItsOwnCallback() {
    let reads = Locked(0)
    let clock = movingProperty(reads)
    let seen = Locked<[Int]>([])
    let subscription = clock.subscribe(onNext: { value in
      let read = clock.value
      seen.mutate { $0 += [value, read] }
    })
    #expect(clock.value == 2)
    #expect(seen.value == [1, 1, 2, 2])
    #expect(reads.value == 2)
    subscription.dispose()
  }

  // contract 5: the subscribers get the values in the order in which they were stored
  @Test func aReadOlderThanOneThatFoundNoChangeSendsNothing() {
    let (stored, seen, whileReading) = (Locked("a"), Locked<[String]>([]), Locked<(@Sendable () -> Void)?>(nil))
    let property = MutableProperty(
      get: {
        let value = stored.value
        whileReading.mutate { $0.take() }?()
        return value
      }, set: { value in stored.mutate { $0 = value } })
    let subscription = property.subscribe(onNext: { value in seen.append(value) })
    whileReading.mutate { $0 = { onOtherThread { property.value = "a" } } }
    stored.mutate { $0 = "b" }
    #expect(property.value == "a")
    #expect(seen.value == ["a"])
    subscription.dispose()
  }

  // contract 5: bind(edits:render:) of a value that changes by itself
  @MainActor @Test func aControlOnAClockReturns() {
    let reads = Locked(0)
    let clock = movingProperty(reads)
    let edits = PublishSubject<Int>()
    let rendered = Locked(0)
    clock.bind(edits: edits, render: { _ in rendered.increment() }).dispose()
    #expect(reads.value < 100)
  }

  #if canImport(Observation)
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func anObservedClockReturns() {
      let reads = Locked(0)
      let clock = movingProperty(reads)
      _ = ObservedProperty(clock)
      #expect(reads.value < 100)
    }
  #endif

  // contract 5: two bound properties do not oscillate

  @Test func aBoundClockReturns() {
    let reads = Locked(0)
    let clock = movingProperty(reads)
    let copy = MutableProperty(0)
    let binding = clock.bind(to: copy)
    _ = clock.value
    copy.value = -1
    binding.dispose()
    #expect(reads.value < 100)
  }

  @Test func boundPropertiesThatAreNotANumberDoNotOscillate() {
    let (a, b) = (MutableProperty(0.0), MutableProperty(0.0))
    let bag = DisposeBag()
    a.bind(to: b).disposed(by: bag)
    let count = Locked(0)
    b.subscribe(onNext: { _ in
      if count.increment() > 1000 { bag.dispose() }
    }).disposed(by: bag)
    a.value = .nan
    #expect(count.value < 10)
    #expect(b.value.isNaN)
  }

  @Test func aStoredValueThatIsNotANumberIsSentOnce() {
    let property = Property(get: { Double.nan })
    let count = Locked(0)
    let bag = DisposeBag()
    property.subscribe(onNext: { _ in
      if count.increment() > 1000 { return bag.dispose() }
      _ = property.value
    }).disposed(by: bag)
    #expect(count.value < 10)
  }

  // contract 1.6
  @Test func aLongChainOfPropertiesIsReleased() async {
    await onThread(stackSize: smallStack) {
      var property = Property(1)
      for _ in 0..<300 { property = property.map { $0 } }
    }
  }
}
