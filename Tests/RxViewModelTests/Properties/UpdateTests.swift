import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

/// A counter whose actions are the new counts.
private final class SharedCounter: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores nothing.
  override func createInitialState() -> Int { 0 }
  override func createObservable(_ action: Int) -> Observable<StateMapper<Int>> { .just { _ in action } }
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
@Suite struct UpdateTests {
  /// A property with storage of its own, parts of one, another form of one, and one of a view model.
  private static func properties(of counter: SharedCounter) -> [(name: String, property: MutableProperty<Int>)] {
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
    let counter = SharedCounter(scheduler: ImmediateScheduler())
    for (name, property) in Self.properties(of: counter) {
      let text = property.update { value in
        value += 2
        return "was \(value - 2)"
      }
      #expect(text == "was 0", "\(name)")
      #expect(property.value == 2, "\(name)")
    }
    withExtendedLifetime(counter) {}
    let subject = BehaviorSubject(value: [1])
    let observer = subject.test()
    #expect(subject.update { $0.popLast() } == 1)
    #expect(observer.values == [[1], []])
  }

  @Test func aBodyThatThrowsWritesNothing() {
    let counter = SharedCounter(scheduler: ImmediateScheduler())
    for (name, property) in Self.properties(of: counter) {
      let observer = property.test()
      #expect(throws: TestError.self, "\(name)") {
        try property.update { value in
          value = 5
          throw TestError()
        }
      }
      #expect(property.value == 0, "\(name)")
      property.update { $0 = 1 }
      #expect(observer.values == [0, 1], "\(name)")
    }
    withExtendedLifetime(counter) {}
    let subject = BehaviorSubject(value: 0)
    #expect(throws: TestError.self) { try subject.update { _ in throw TestError() } }
    #expect(subject.value == 0)
    let storage = Locked(0)
    let property = MutableProperty(get: { storage.value }, set: { value in storage.mutate { $0 = value } })
    #expect(throws: TestError.self) {
      try property.update { value in
        value = 5
        throw TestError()
      }
    }
    #expect(storage.value == 0)
  }

  @Test func anUnchangedValueIsNotDelivered() {
    let counter = SharedCounter(scheduler: ImmediateScheduler())
    for (name, property) in Self.properties(of: counter) {
      let observer = property.test()
      property.update { $0 += 0 }
      #expect(observer.values == [0], "\(name)")
    }
    withExtendedLifetime(counter) {}
  }

  @Test func aCallbackMayUpdateTheProperty() {
    let counter = SharedCounter(scheduler: ImmediateScheduler())
    for (name, property) in Self.properties(of: counter) {
      let bag = DisposeBag()
      property.subscribe(onNext: { value in
        if value == 1 { property.update { $0 += 1 } }
      }).disposed(by: bag)
      let observer = property.test()
      property.update { $0 = 1 }
      #expect(observer.values == [0, 1, 2], "\(name)")
      bag.dispose()
    }
    withExtendedLifetime(counter) {}
  }

  @Test func aBodyMayUpdateAnotherProperty() {
    let (first, second) = (MutableProperty(1), MutableProperty(10))
    first.update { one in second.update { ten in swap(&one, &ten) } }
    #expect(first.value == 10)
    #expect(second.value == 1)
  }

  @Test(.ownThread) func aBodyThatWritesItsOwnPropertyIsTrapped() async {
    await #expect(processExitsWith: .failure) {
      let property = MutableProperty(0)
      property.update { _ in property.value = 1 }
    }
    await #expect(processExitsWith: .failure) {
      let property = MutableProperty(0).map(get: { $0 }, set: { $0 = $1 })
      property.update { _ in property.update { $0 += 1 } }
    }
    await #expect(processExitsWith: .failure) {
      let subject = BehaviorSubject(value: 0)
      subject.update { _ in subject.onNext(1) }
    }
    await #expect(processExitsWith: .failure) {
      let counter = SharedCounter(scheduler: TestScheduler())
      let property = counter.property({ $0 }, set: { $0 })
      property.update { _ in property.value = 1 }
    }
  }

  @Test func theBodyRunsAgainIfAnotherThreadWritesMeanwhile() async {
    let counter = SharedCounter(scheduler: ImmediateScheduler())
    for (name, property) in Self.properties(of: counter) {
      let (isInside, mayGoOn, seen) = (Signal(), Signal(), Locked<[Int]>([]))
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          await onThread {
            property.update { value in
              seen.mutate { $0.append(value) }
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
    withExtendedLifetime(counter) {}
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
      calls.mutate { $0 += 1 }
      value = 2
    }
    #expect(subject.value == 1)
    let counter = SharedCounter(scheduler: ImmediateScheduler())
    let property = counter.property({ $0 }, set: { $0 })
    counter.clear()
    property.update { value in
      calls.mutate { $0 += 1 }
      value = 2
    }
    #expect(property.value == 0)
    #expect(calls.value == 2)
  }

  // The property has the value written last, although the view model has not folded an action yet.
  @Test func theUpdateOfAViewModelsPropertyExecutesAnAction() {
    let scheduler = TestScheduler()
    let counter = SharedCounter(scheduler: scheduler)
    let property = counter.property({ $0 }, set: { $0 })
    property.value = 5
    property.update { $0 += 1 }
    #expect(property.value == 6)
    #expect(counter.currentState == 0)
    scheduler.run()
    #expect(counter.currentState == 6)
  }

  // A state that comes from another action is not a write of the property.
  @Test func aBodyMayDoSomethingElseWithTheViewModel() {
    let counter = SharedCounter(scheduler: ImmediateScheduler())
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

  @Test func theUsersStorageIsReadAndThenWritten() {
    let calls = Locked<[String]>([])
    let property = MutableProperty(
      get: {
        calls.mutate { $0.append("get") }
        return 1
      }, set: { value in calls.mutate { $0.append("set \(value)") } })
    property.update { $0 += 1 }
    #expect(calls.value == ["get", "set 2", "get"])
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

  // Two view models share a property.
  @Test func twoViewModelsThatShareAPropertyLoseNothing() async {
    let shared = MutableProperty<[Int]>([])
    let screens = (0..<2).map { _ in Screen() }
    for number in 0..<1_000 {
      for screen in screens {
        screen.execute(
          Step("append") {
            shared.update { $0.append(number) }
            return .unchanged()
          })
      }
    }
    #expect(await eventually { shared.value.count == 2_000 })
  }
}

// contract 5: an update beside a thread that writes without a pause
@Suite struct UpdateTurnTests {
  struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Makes a property of 1, and the object that it needs.
    let make: @Sendable () -> (property: MutableProperty<Int>, owner: any Sendable)

    static let all = [
      Kind(testDescription: "stored") { (MutableProperty(1), 0) },
      Kind(testDescription: "a view model's") {
        let counter = SharedCounter(initialState: 1, scheduler: ImmediateScheduler())
        return (counter.property({ $0 }, set: { $0 }), counter)
      },
    ]
  }

  // Another write comes during each run of the body.
  @Test(arguments: Kind.all) func anUpdateHasItsTurn(kind: Kind) async {
    let ((property, owner), recorder) = (kind.make(), Recorder<Int>())
    defer { withExtendedLifetime(owner) {} }
    let (written, isOver, runs) = (Locked(1), Locked(false), Locked(0))
    let subscription = property.subscribe(recorder)
    async let writer: Void = onThread {
      while !isOver.value {
        let number = written.value + 1
        property.value = number
        #expect(property.value >= number || property.value < 0)
        written.mutate { $0 = number }
      }
    }
    let changed = await onThread {
      property.update { value in
        runs.mutate { $0 += 1 }
        let before = written.value
        #expect(waitUntil { isOver.value || written.value >= before + 2 })
        // Else the delivery of the writer's numbers would not end.
        if runs.value == 17 { isOver.mutate { $0 = true } }
        value = -value
        return value
      }
    }
    await writer
    #expect(runs.value == 17)
    let values = recorder.elements
    #expect(property.value == written.value)
    // No other write came between the value that the update has read and the one that it has written.
    let index = values.firstIndex(of: changed)
    #expect(index.map { values[$0 - 1] } == -changed)
    let isComplete = values.filter { $0 > 0 } == Array(1...written.value)
    #expect(isComplete)
    #expect(recorder.faults == [])
    subscription.dispose()
  }

  // Slow updates of two threads beside a writer of thousands. Each update adds one to the value before it.
  @Test(arguments: Kind.all) func noUpdateIsLost(kind: Kind) async {
    let ((property, owner), recorder) = (kind.make(), Recorder<Int>())
    defer { withExtendedLifetime(owner) {} }
    let written = Locked(0)
    let subscription = property.subscribe(recorder)
    await race(threads: 3) { thread in
      if thread == 0 {
        for number in 1...5_000 {
          property.value = number * 1_000
          written.mutate { $0 = number }
        }
      } else {
        for _ in 0..<30 {
          property.update { value in
            let before = written.value
            #expect(waitUntil { written.value >= min(before + 2, 5_000) })
            value += 1
          }
        }
      }
    }
    let values = recorder.elements
    let updates = values.indices.dropFirst().filter { values[$0] % 1_000 != 0 }
    #expect(updates.count == 60)
    #expect(updates.allSatisfy { values[$0] == values[$0 - 1] + 1 })
    let writes = values.filter { $0 % 1_000 == 0 }
    let isComplete = writes == (1...5_000).map { $0 * 1_000 }
    #expect(isComplete)
    #expect(recorder.faults == [])
    subscription.dispose()
  }

  // contract 1.2: the callback of the value that the update has written
  @Test(arguments: Kind.all) func aCallbackMayWrite(kind: Kind) async {
    let ((property, owner), runs) = (kind.make(), Locked(0))
    defer { withExtendedLifetime(owner) {} }
    let subscription = property.subscribe(onNext: { if $0 == -1 { property.value = -2 } })
    await onThread {
      property.update { value in
        let run = runs.mutate { runs in
          runs += 1
          return runs
        }
        if run < 17 { #expect(onOtherThread { property.value = run * 10 }) }
        value = -1
      }
    }
    #expect(runs.value == 17)
    #expect(property.value == -2)
    subscription.dispose()
  }

  // A subscriber gets the value that a write has left, although the write waits.
  @Test(arguments: Kind.all) func aSubscriberGetsTheValueThatWaits(kind: Kind) async {
    let ((property, owner), runs, recorder) = (kind.make(), Locked(0), Recorder<Int>())
    defer { withExtendedLifetime(owner) {} }
    let (bag, values) = (DisposeBag(), Locked<[Int]>([]))
    await onThread {
      property.update { value in
        let run = runs.mutate { runs in
          runs += 1
          return runs
        }
        if run <= 17 {
          #expect(
            onOtherThread {
              property.value = run * 10
              if run < 17 { return }
              property.subscribe(recorder).disposed(by: bag)
              values.mutate { $0 = recorder.elements + [property.value, Property(initial: -5, then: property).value] }
            })
        }
        value += 1
      }
    }
    #expect(values.value == [170, 170, 170])
    #expect(recorder.elements == [170, 171])
    #expect(runs.value == 18)
    bag.dispose()
  }

  // contract 1.5: the terminal event comes after the elements that wait, and ends the update.
  @Test func theEndOfASubjectComesAfterTheElementsThatWait() async {
    let (subject, runs, last) = (BehaviorSubject(value: 0), Locked(0), Locked(-1))
    let (before, after) = (Recorder<Int>(), Recorder<Int>())
    _ = subject.subscribe(before)
    await onThread {
      subject.update { value in
        let run = runs.mutate { runs in
          runs += 1
          return runs
        }
        #expect(
          onOtherThread {
            subject.onNext(run)
            if run < 17 { return }
            subject.onNext(1_000)
            subject.onCompleted()
            subject.onNext(1_001)
            last.mutate { $0 = subject.value }
            _ = subject.subscribe(after)
          })
        value = -1
      }
    }
    #expect(runs.value == 17)
    #expect(last.value == 1_000 && subject.value == 1_000)
    #expect(before.elements == Array(0...17) + [1_000])
    #expect(before.end == "completed")
    #expect(after.elements == [])
    #expect(after.end == "completed")
  }

  // contract 1.3: the body waits for a thread that writes.
  @Test(arguments: Kind.all) func aBodyMayWaitForAWriter(kind: Kind) async {
    let ((property, owner), runs) = (kind.make(), Locked(0))
    defer { withExtendedLifetime(owner) {} }
    await onThread {
      property.update { value in
        runs.mutate { $0 += 1 }
        #expect(onOtherThread { property.value = runs.value * 10 })
        value = -1
      }
    }
    #expect(runs.value == 17)
    #expect(property.value == 170)
  }
}
