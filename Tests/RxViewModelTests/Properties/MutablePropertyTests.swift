import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 5
struct MutablePropertyTests {
  @Test func equalWritesAreSentOnce() {
    let property = MutableProperty(1)
    let values = property.test()
    for value in [2, 2, 3] { property.value = value }
    #expect(values.values == [1, 2, 3] && property.value == 3 && property.readOnly.value == 3)
  }

  @Test func aStoreThatClampsSendsTheClampedValue() {
    let store = Locked(1)
    let property = MutableProperty(get: { store.value }, set: { value in store.mutate { $0 = min(value, 10) } })
    let values = property.test()
    property.value = 12
    #expect(property.value == 10 && values.values == [1, 10])
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
      #expect(property.value == 2 && seen.values == [1, 5, 2])
    }
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

  @Test(arguments: [true, false]) func theEndOfABoundPropertyReleasesTheOther(isFirst: Bool) {
    let (viewModel, lifetimes) = (NameViewModel(scheduler: ImmediateScheduler()), Lifetimes())
    let name = viewModel.property(\.name, set: NameEdit.set)
    func bind() -> any Disposable {
      let other = MutableProperty(
        get: { [object = lifetimes.make()] in
          object.touch()
          return ""
        }, set: { _ in })
      return isFirst ? name.bind(to: other) : other.bind(to: name)
    }
    let binding = bind()
    #expect(lifetimes.alive == 1)
    viewModel.clear()
    #expect(lifetimes.alive == 0)
    withExtendedLifetime(binding) {}
  }

  @Test func boundPropertiesDoNotOscillate() async {
    let (a, b) = (MutableProperty(0), MutableProperty(-1))
    let events = Locked(0)
    let bag = DisposeBag()
    for property in [a, b] { property.subscribe(onNext: { _ in events.increment() }).disposed(by: bag) }
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

/// The kinds of properties that refuse a number above a limit and keep their value.
enum RefusingProperty: String, CaseIterable, CustomTestStringConvertible {
  case storedElsewhere, setBesideAReading, mapped, mappedFromStorage, edited

  var testDescription: String { rawValue }

  /// - Parameter scheduler: The scheduler of the view model, if the property has one.
  func make(limit: Int, scheduler: any Scheduler = ImmediateScheduler()) -> MutableProperty<Int> {
    let store = Locked(limit)
    let accept: @Sendable (Int) -> Void = { number in store.mutate { if number <= limit { $0 = number } } }
    switch self {
    case .storedElsewhere:
      return MutableProperty(get: { store.value }, set: accept)
    case .setBesideAReading:
      let values = MutableProperty(limit)
      return MutableProperty(values.readOnly, set: { if $0 <= limit { values.value = $0 } })
    case .mapped:
      return MutableProperty([limit]).map(get: { $0[0] }, set: { if $1 <= limit { $0[0] = $1 } })
    case .mappedFromStorage:
      return MutableProperty(get: { store.value }, set: accept).map(get: { -$0 }, set: { $0 = -$1 })
        .map(get: { -$0 }, set: { $0 = -$1 })
    case .edited:
      return LimitedViewModel(limit: limit, scheduler: scheduler).number
    }
  }
}

/// A view model whose action refuses a number above its limit.
// Sendable: its properties are `let`s.
private final class LimitedViewModel: RxViewModel<Int, Int>, @unchecked Sendable {
  let limit: Int

  init(limit: Int, scheduler: any Scheduler) {
    self.limit = limit
    super.init(scheduler: scheduler)
  }

  /// A property that retains the view model.
  var number: MutableProperty<Int> {
    let number: MutableProperty<Int> = property({ $0 }, set: { $0 })
    return MutableProperty(number.readOnly, set: { [self] new in withExtendedLifetime(self) { number.value = new } })
  }

  override func createInitialState() -> Int { limit }

  override func createObservable(_ action: Int) -> Effect {
    .mutate { [limit] in if action <= limit { $0 = action } }
  }
}

// contract 5: bound properties are equal when the writes have stopped, also if one of them stores another value than the written one
struct BoundPropertiesTests {
  @Test(arguments: RefusingProperty.allCases, [false, true])
  func aWriteThatOneRefusesIsReverted(_ kind: RefusingProperty, isFirst: Bool) {
    let (plain, limited) = (MutableProperty(isFirst ? 70 : 0), kind.make(limit: 50))
    let binding = isFirst ? limited.bind(to: plain) : plain.bind(to: limited)
    #expect((plain.value, limited.value) == (isFirst ? 50 : 0, isFirst ? 50 : 0))
    for number in [40, 60, 61, 61, 50, 99] {
      plain.value = number
      let kept = number <= 50 ? number : number == 99 ? 50 : 40
      #expect((plain.value, limited.value) == (kept, kept), "after \(number)")
    }
    limited.value = 7
    limited.value = 70
    #expect((plain.value, limited.value) == (7, 7))
    binding.dispose()
  }

  @Test(arguments: RefusingProperty.allCases, RefusingProperty.allCases)
  func twoLimits(_ one: RefusingProperty, _ other: RefusingProperty) {
    let (high, low) = (one.make(limit: 50), other.make(limit: 40))
    let binding = high.bind(to: low)
    #expect((high.value, low.value) == (40, 40))
    for (number, kept) in [(45, 40), (46, 40), (60, 40), (30, 30), (45, 30)] {
      high.value = number
      #expect((high.value, low.value) == (kept, kept), "after \(number)")
    }
    binding.dispose()
  }

  @Test func aTrimmedText() {
    let store = Locked("y")
    let trimming = MutableProperty(
      get: { store.value }, set: { text in store.mutate { $0 = String(text.filter { $0 != " " }) } })
    let text = MutableProperty("y ")
    let binding = text.bind(to: trimming)
    #expect((text.value, trimming.value) == ("y", "y"))
    for spaced in ["y ", " y", "x ", "x  "] {
      text.value = spaced
      #expect(text.value == trimming.value && !text.value.contains(" "))
    }
    binding.dispose()
  }

  // contract 5: an action that ends later
  @Test func anActionThatRefusesInAnotherTurn() {
    let scheduler = TestScheduler()
    let (plain, edited) = (MutableProperty(70), RefusingProperty.edited.make(limit: 50, scheduler: scheduler))
    let binding = plain.bind(to: edited)
    scheduler.run()
    #expect((plain.value, edited.value) == (50, 50))
    for number in [60, 61] {
      plain.value = number
      scheduler.run()
      #expect((plain.value, edited.value) == (50, 50), "after \(number)")
    }
    binding.dispose()
  }

  // contract 1.6, 5: a chain of bindings
  @Test func aRefusalGoesBackThroughAChain() {
    let (first, second, last) = (MutableProperty(0), MutableProperty(0), RefusingProperty.mapped.make(limit: 50))
    let bindings = [first.bind(to: second), second.bind(to: last)]
    for number in [60, 61] {
      first.value = number
      #expect([first, second, last].map(\.value) == [0, 0, 0], "after \(number)")
    }
    for binding in bindings { binding.dispose() }
  }

  /// The exception: there is no value that both accept.
  @Test func twoPropertiesThatRefuseEachOthersValuesKeepTheirOwn() {
    let (even, odd, sets) = (Locked(0), Locked(1), Locked(0))
    func property(_ store: Locked<Int>, _ remainder: Int) -> MutableProperty<Int> {
      MutableProperty(
        get: { store.value },
        set: { (number: Int) in
          sets.increment()
          if number % 2 == remainder { store.mutate { $0 = number } }
        })
    }
    let (one, other) = (property(even, 0), property(odd, 1))
    let binding = one.bind(to: other)
    one.value = 8
    other.value = 9
    #expect((one.value, other.value) == (8, 9))
    #expect(sets.value < 20)
    binding.dispose()
  }
}
