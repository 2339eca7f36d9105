import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 5
struct PropertyTests {
  @Test func aConstantIsSentAndCompletes() {
    let property = Property(1)
    #expect(property.value == 1)
    #expect(property.asObservable().test().events == [Recorded(.zero, .next(1)), Recorded(.zero, .completed)])
  }

  @Test func noValueAndANilValueDiffer() {
    let nested = PublishSubject<String??>()
    let uninitialized = Property<String??>(initial: nil, then: nested)
    let seen = uninitialized.test()
    nested.onNext(.some(nil))
    #expect(seen.values == [nil, .some(nil)])
    #expect(uninitialized.value == .some(nil))
  }

  @Test func aValueStoredElsewhereIsSentAtARefresh() {
    let store = Locked("initial")
    let property = Property { store.value }
    let values = property.test()
    store.mutate { $0 = "new" }
    #expect(property.value == "new" && values.values == ["initial"])
    property.refresh()
    #expect(values.values == ["initial", "new"])
    store.mutate { $0 = "newer" }
    // A subscription refreshes too.
    #expect(property.test().values == ["newer"])
    #expect(values.values == ["initial", "new", "newer"])
  }

  @Test func thePartOfAMapIsSentWhenItChanges() {
    let number = MutableProperty(1)
    let isEven = number.readOnly.map { $0 % 2 == 0 }
    let values = isEven.test()
    for value in [3, 4, 6, 7] { number.value = value }
    #expect(values.values == [false, true, false])
    #expect(isEven.value == false)
  }

  @Test func theSourceIsDisposedWithTheLastCopyAndTheLastSubscription() {
    let (source, seen) = (PublishSubject<Int>(), Recorder<Int>())
    var property: Property<Int>? = Property(initial: 0, then: source)
    var copy = property?.map { $0 + 1 }
    property = nil
    #expect(source.hasObservers)
    let subscription = copy!.subscribe(seen)
    copy = nil
    source.onNext(1)
    #expect(seen.elements == [1, 2])
    subscription.dispose()
    #expect(!source.hasObservers)
    property = Property(initial: 0, then: source)
    copy = property
    property = nil
    #expect(source.hasObservers && copy?.value == 0)
    copy = nil
    #expect(!source.hasObservers)
  }

  #if os(macOS) || os(Linux)
    @Test(.ownThread) func anErrorOfTheSourceIsAnEnd() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let source = PublishSubject<Int>()
        let property = Property(initial: 0, then: source)
        let seen = Recorder<Int>()
        let subscription = property.subscribe(seen)
        source.onNext(1)
        source.onError(TestError())
        #expect(seen.elements == [0, 1] && seen.end == "completed" && property.value == 1)
        #expect(property.test().events == [Recorded(.zero, .next(1)), Recorded(.zero, .completed)])
        subscription.dispose()
      }
      #expect(
        reports(result)
          == inDebugBuilds(
            "RxViewModel: a stream of Int failed, and its Property doesn't handle the error: test error"))
    }
  #endif
}

// contract 5: a value that changes at each read, and one that does not equal itself
struct UnsteadyPropertyTests {
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

  // contract 5: a read sends nothing, also in a callback
  @Test func onlyARefreshSendsAChangeOfAStorage() {
    let reads = Locked(0)
    let clock = movingProperty(reads)
    let seen = Locked<[Int]>([])
    let subscription = clock.subscribe(onNext: { value in
      let read = clock.value
      seen.mutate { $0 += [value, read] }
    })
    #expect(clock.value == 3 && seen.value == [1, 2])
    clock.readOnly.map { -$0 }.refresh()
    #expect(seen.value == [1, 2, 4, 5] && reads.value == 5)
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
    property.readOnly.refresh()
    #expect(property.value == "a" && seen.value == ["a"])
    subscription.dispose()
  }

  // contract 5: a control, an observed property and a bound one of a value that changes by itself
  @MainActor @Test func whatReadsAClockReturns() {
    let (reads, copy, edits) = (Locked(0), MutableProperty(0), PublishSubject<Int>())
    let clock = movingProperty(reads)
    clock.bind(edits: edits, render: { _ in }).dispose()
    #if canImport(Observation)
      if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) { _ = ObservedProperty(clock) }
    #endif
    let binding = clock.bind(to: copy)
    clock.readOnly.refresh()
    copy.value = -1
    binding.dispose()
    #expect(reads.value < 300)
  }

  // contract 5: two bound properties do not oscillate
  @Test func boundPropertiesThatAreNotANumberDoNotOscillate() {
    let (a, b) = (MutableProperty(0.0), MutableProperty(0.0))
    let bag = DisposeBag()
    a.bind(to: b).disposed(by: bag)
    let count = Locked(0)
    b.subscribe(onNext: { _ in
      if count.increment() > 1000 { bag.dispose() }
    }).disposed(by: bag)
    a.value = .nan
    #expect(count.value < 10 && b.value.isNaN)
  }

  @Test func aStoredValueThatIsNotANumberIsSentOnce() {
    let property = Property(get: { Double.nan })
    let count = Locked(0)
    let bag = DisposeBag()
    property.subscribe(onNext: { _ in
      if count.increment() > 1000 { return bag.dispose() }
      property.refresh()
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
