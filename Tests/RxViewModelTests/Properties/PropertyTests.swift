import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 5
@Suite struct PropertyTests {
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

  @Test func aValueStoredElsewhereIsSentWhenItIsRead() {
    let store = Locked("initial")
    let property = Property { store.value }
    let values = property.test()
    store.mutate { $0 = "new" }
    #expect(values.values == ["initial"])
    #expect(property.value == "new")
    #expect(values.values == ["initial", "new"])
    store.mutate { $0 = "newer" }
    // A subscription reads the value too.
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

  @Test func theSourceIsDisposedWithTheLastCopy() {
    let source = PublishSubject<Int>()
    var property: Property<Int>? = Property(initial: 0, then: source)
    var copy = property?.map { $0 + 1 }
    property = nil
    #expect(source.hasObservers)
    #expect(copy?.value == 1)
    copy = nil
    #expect(!source.hasObservers)
  }

  @Test func theSourceIsDisposedWithTheLastSubscription() {
    let source = PublishSubject<Int>()
    var property: Property<Int>? = Property(initial: 0, then: source)
    let seen = Recorder<Int>()
    let subscription = property!.subscribe(seen)
    property = nil
    source.onNext(1)
    #expect(seen.elements == [0, 1])
    subscription.dispose()
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
        #expect(seen.elements == [0, 1])
        #expect(seen.end == "completed")
        #expect(property.value == 1)
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
