import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// A counter whose actions are the new counts.
private final class SharedCounter: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores nothing.
  override func createInitialState() -> Int { 0 }
  override func createObservable(_ action: Int) -> Effect { .just { _ in action } }
}

private struct Pair: Equatable {
  var (left, right) = (0, 0)
}

/// A value that counts its copies.
private struct Copied: Sendable, Equatable {
  private final class Storage: @unchecked Sendable {  // Sendable: only a unique reference changes it.
    var count = 0
  }

  private var storage = Storage()
  private(set) var copies = 0

  mutating func add() {
    if !isKnownUniquelyReferenced(&storage) {
      let copy = Storage()
      copy.count = storage.count
      storage = copy
      copies += 1
    }
    storage.count += 1
  }

  static func == (left: Copied, right: Copied) -> Bool { left.storage === right.storage }
}

// contract 5: an update is one step
struct UpdateTests {
  private let counter = SharedCounter(scheduler: ImmediateScheduler())

  /// A property with storage of its own, parts of one, another form of one, and one of a view model.
  private var properties: [(name: String, property: MutableProperty<Int>)] {
    let pair = MutableProperty(Pair())
    let text = MutableProperty("0")
    return [
      ("stored", MutableProperty(0)),
      ("a part", pair.map(get: { $0.left }, set: { $0.left = $1 })),
      ("another form", text.map(get: { Int($0)! }, set: { $0 = "\($1)" })),
      ("a part of a part", pair.map(get: { $0 }, set: { $0 = $1 }).map(get: { $0.right }, set: { $0.right = $1 })),
      ("a view model's", counter.property({ $0 }, set: { $0 })),
    ]
  }

  @Test func anUpdateReturnsTheResultOfItsBody() {
    for (name, property) in properties {
      let text = property.update { value in
        value += 2
        return "was \(value - 2)"
      }
      #expect(text == "was 0", "\(name)")
      #expect(property.value == 2, "\(name)")
    }
    let subject = BehaviorSubject(value: [1])
    let observer = subject.test()
    #expect(subject.update { $0.popLast() } == 1)
    #expect(observer.values == [[1], []])
  }

  @Test func aBodyThatThrowsWritesNothingAndAnUnchangedValueIsNotDelivered() {
    let (storage, sets) = (Locked(0), Locked(0))
    let stored = MutableProperty(
      get: { storage.value },
      set: { value in
        sets.increment()
        storage.mutate { $0 = value }
      })
    for (name, property) in properties + [("the user's storage", stored)] {
      let observer = property.test()
      #expect(throws: TestError.self, "\(name)") {
        try property.update { value in
          value = 5
          throw TestError()
        }
      }
      #expect(property.value == 0 && sets.value == 0, "\(name)")
      property.update { $0 += 0 }
      #expect(observer.values == [0], "\(name)")
      property.update { $0 = 1 }
      #expect(observer.values == [0, 1], "\(name)")
    }
    let subject = BehaviorSubject(value: 0)
    #expect(throws: TestError.self) { try subject.update { _ in throw TestError() } }
    #expect(subject.value == 0)
  }

  @Test func aCallbackMayUpdateTheProperty() {
    for (name, property) in properties {
      let bag = DisposeBag()
      property.subscribe(onNext: { value in
        if value == 1 { property.update { $0 += 1 } }
      }).disposed(by: bag)
      let observer = property.test()
      property.update { $0 = 1 }
      #expect(observer.values == [0, 1, 2], "\(name)")
      bag.dispose()
    }
  }

  @Test func aBodyMayUpdateAnotherProperty() {
    let (first, second) = (MutableProperty(1), MutableProperty(10))
    first.update { one in second.update { ten in swap(&one, &ten) } }
    #expect(first.value == 10 && second.value == 1)
  }

  private static let writesInside: [@Sendable () -> Void] = [
    {
      let property = MutableProperty(0)
      property.update { _ in property.value = 1 }
    },
    {
      let property = MutableProperty(0).map(get: { $0 }, set: { $0 = $1 })
      property.update { _ in property.update { $0 += 1 } }
    },
    {
      let subject = BehaviorSubject(value: 0)
      subject.update { _ in subject.onNext(1) }
    },
    {
      let counter = SharedCounter(scheduler: TestScheduler())
      let property = counter.property({ $0 }, set: { $0 })
      property.update { _ in property.value = 1 }
    },
  ]

  @Test(.ownThread, arguments: writesInside.indices)
  func aBodyThatWritesItsOwnPropertyIsTrapped(index: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
      UpdateTests.writesInside[index]()
    }
    let complaint = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(complaint.contains("update: the body writes the value itself"))
  }

  // However often other threads are faster, their writes are not taken for writes of the body.
  @Test func aBodyThatIsOvertakenAThousandTimesWritesInTheEnd() async {
    let (property, runs) = (MutableProperty(0), Locked(0))
    await onThread {
      property.update { value in
        let run = runs.increment()
        if run <= 1_100 { #expect(onOtherThread { property.value = run }) }
        value = -value
      }
    }
    #expect(runs.value == 1_101)
    #expect(property.value == -1_100)
  }

  @Test func theBodyRunsAgainIfAnotherThreadWritesMeanwhile() async {
    for (name, property) in properties {
      let (isInside, mayGoOn, seen) = (Signal(), Signal(), Locked<[Int]>([]))
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          await onThread {
            property.update { value in
              seen.append(value)
              if value == 0 {
                isInside.fire()
                #expect(mayGoOn.wait())
              }
              value += 1
            }
          }
        }
        await onThread {
          #expect(isInside.wait())
          property.value = 10
          mayGoOn.fire()
        }
      }
      #expect(seen.value == [0, 10], "\(name)")
      #expect(property.value == 11, "\(name)")
    }
  }

  // A plain write of a part is an update of the whole.
  @Test func writesOfTwoPartsAreBothKept() async {
    let pair = MutableProperty(Pair())
    let parts = [
      pair.map(get: { $0.left }, set: { $0.left = $1 }), pair.map(get: { $0.right }, set: { $0.right = $1 }),
    ]
    await race { number in for value in 1...2_000 { parts[number].value = value } }
    #expect(pair.value == Pair(left: 2_000, right: 2_000))
  }

  @Test func aLargeValueIsCopiedOnce() {
    let (property, subject) = (MutableProperty(Copied()), BehaviorSubject(value: Copied()))
    for update in 1...3 {
      property.update { value in for _ in 0..<10 { value.add() } }
      subject.update { value in for _ in 0..<10 { value.add() } }
      #expect(property.value.copies == update)
      #expect(subject.value.copies == update)
    }
  }

  @Test func afterTheEndTheBodyRunsOnceAndWritesNothing() {
    let (subject, calls) = (BehaviorSubject(value: 1), Locked(0))
    subject.onCompleted()
    subject.update { value in
      calls.increment()
      value = 2
    }
    #expect(subject.value == 1)
    let property = counter.property({ $0 }, set: { $0 })
    counter.clear()
    property.update { value in
      calls.increment()
      value = 2
    }
    #expect(property.value == 0 && calls.value == 2)
  }

  // The property has the value written last, although the view model has not folded an action yet.
  @Test func theUpdateOfAViewModelsPropertyExecutesAnAction() {
    let scheduler = TestScheduler()
    let counter = SharedCounter(scheduler: scheduler)
    let property = counter.property({ $0 }, set: { $0 })
    property.value = 5
    property.update { $0 += 1 }
    #expect(property.value == 6 && counter.currentState == 0)
    scheduler.run()
    #expect(counter.currentState == 6)
  }

  // A state that comes from another action is not a write of the property.
  @Test func aBodyMayDoSomethingElseWithTheViewModel() {
    let property = counter.property({ $0 }, set: { $0 })
    let other = counter.property({ -$0 }, set: { -$0 })
    property.update { value in
      other.value = -5
      value += 1
    }
    #expect(counter.currentState == 1)
    property.update { value in
      counter.clear()
      value = 7
    }
    #expect(property.value == 1)
  }
}

// contract 5
@Suite(.stress) struct UpdateRaceTests {
  @Test func noUpdateIsLost() async {
    let (threads, count) = (8, 1_000)
    let pair = MutableProperty(Pair())
    let counter = SharedCounter()
    let view = counter.property({ $0 }, set: { $0 })
    let properties = [
      MutableProperty(0), pair.map(get: { $0.left }, set: { $0.left = $1 }),
      MutableProperty("0").map(get: { Int($0)! }, set: { $0 = "\($1)" }), view,
    ]
    for property in properties {
      await race(threads: threads) { _ in for _ in 0..<count { property.update { $0 += 1 } } }
      #expect(property.value == threads * count)
    }
    #expect(await eventually { counter.currentState == threads * count })
    let subject = BehaviorSubject(value: 0)
    await race(threads: threads) { _ in for _ in 0..<count { subject.update { $0 += 1 } } }
    #expect(subject.value == threads * count)
  }
}
