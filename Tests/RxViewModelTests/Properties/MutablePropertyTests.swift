import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 5
@Suite struct MutablePropertyTests {
  @Test func equalWritesAreSentOnce() {
    let property = MutableProperty(1)
    let values = property.test()
    for value in [2, 2, 3] { property.value = value }
    #expect(values.values == [1, 2, 3])
    #expect(property.value == 3)
    #expect(property.readOnly.value == 3)
  }

  @Test func aStoreThatClampsSendsTheClampedValue() {
    let store = Locked(1)
    let property = MutableProperty(get: { store.value }, set: { value in store.mutate { $0 = min(value, 10) } })
    let values = property.test()
    property.value = 12
    #expect(property.value == 10)
    #expect(values.values == [1, 10])
  }

  @Test func anyPropertyCanBeCombinedWithAnySetter() {
    let (source, written) = (PublishSubject<Int>(), Locked<[Int]>([]))
    let property = MutableProperty(Property(initial: 0, then: source)) { value in written.mutate { $0.append(value) } }
    property.value = 5
    #expect(written.value == [5])
    #expect(property.value == 0)
    source.onNext(5)
    #expect(property.value == 5)
  }

  // The update is a read and then a write.
  @Test func theBodyOfAnUpdateMayWriteAStoreElsewhere() {
    let (store, other) = (Locked(1), MutableProperty(1))
    let properties = [
      MutableProperty(get: { store.value }, set: { value in store.mutate { $0 = value } }),
      MutableProperty(other.readOnly, set: { other.value = $0 }),
    ]
    for property in properties {
      let seen = property.test()
      property.update { value in
        property.value = 5
        value += 1
      }
      #expect(property.value == 2)
      #expect(seen.values == [1, 5, 2])
    }
  }

  @Test func aWriteToAMapReachesItsBase() {
    let number = MutableProperty(1)
    let text = number.map(get: { String($0) }, set: { $0 = Int($1) ?? $0 })
    let texts = text.test()
    text.value = "7"
    #expect(number.value == 7)
    text.value = "x"
    #expect(number.value == 7)
    #expect(texts.values == ["1", "7"])
  }

  @Test func boundPropertiesAreEqual() {
    let (a, b) = (MutableProperty(1), MutableProperty(2))
    let (ofA, ofB) = (a.test(), b.test())
    let binding = a.bind(to: b)
    #expect(b.value == 1)
    b.value = 5
    #expect(a.value == 5)
    a.value = 6
    #expect(ofA.values == [1, 5, 6])
    #expect(ofB.values == [2, 1, 5, 6])
    binding.dispose()
    a.value = 7
    #expect(b.value == 6)
  }

  @Test func boundPropertiesDoNotOscillate() async {
    let (a, b) = (MutableProperty(0), MutableProperty(-1))
    let events = Locked(0)
    let bag = DisposeBag()
    for property in [a, b] { property.subscribe(onNext: { _ in events.mutate { $0 += 1 } }).disposed(by: bag) }
    a.bind(to: b).disposed(by: bag)
    await race { thread in
      for number in 0..<2_000 { (thread == 0 ? a : b).value = (number * 7 + thread) % 100 }
    }
    #expect(a.value == b.value)
    #expect(events.value <= 16_000)
  }

  // contract 1.3
  @Test func theUsersEqualityRunsWithoutALock() {
    let property = MutableProperty(Nosy(1) { 0 })
    let reading = Nosy(2) { property.value.number }
    let values = property.test()
    property.value = reading
    property.value = Nosy(3) { property.value.number }
    #expect(values.values.map(\.number) == [1, 2, 3])
  }

  @Test func noReadWaitsForASubscriber() async {
    let property = MutableProperty(0)
    let (entered, leave) = (Signal(), Signal())
    let subscription = property.subscribe(onNext: { value in
      if value == 1 {
        entered.fire()
        _ = leave.wait()
      }
    })
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await onThread { property.value = 1 } }
      group.addTask {
        await onThread {
          #expect(entered.wait())
          #expect(property.value == 1)
          property.value = 2
          #expect(property.value == 2)
          leave.fire()
        }
      }
    }
    subscription.dispose()
  }
}

/// A value whose comparison reads the property.
private struct Nosy: Sendable, Equatable {
  let number: Int
  private let look: @Sendable () -> Int

  init(_ number: Int, look: @escaping @Sendable () -> Int) {
    self.number = number
    self.look = look
  }

  static func == (left: Nosy, right: Nosy) -> Bool {
    _ = (left.look(), right.look())
    return left.number == right.number
  }
}
