import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

@Suite(.stress) struct PropertyRaceTests {
  #if DEBUG
    private static let writes = 100_000
  #else
    private static let writes = 1_000_000
  #endif

  // contract 5
  @Test func eachReadDuringManyWritesIsOneOfTheValuesWritten() async {
    let writes = Self.writes
    let (property, hasEnded) = (MutableProperty("0 0"), Locked(false))
    await race(threads: 5) { thread in
      if thread == 0 {
        // The two halves of each value are equal, so a mix of two values would show.
        for number in 1...writes { property.value = "\(number) \(number)" }
        hasEnded.mutate { $0 = true }
        return
      }
      var last = 0
      while !hasEnded.value {
        let halves = property.value.split(separator: " ").compactMap { Int($0) }
        if halves.count != 2 || halves[0] != halves[1] || !(last...writes).contains(halves[0]) {
          Issue.record("read \(halves) after \(last)")
          return
        }
        last = halves[0]
      }
    }
    #expect(property.value == "\(writes) \(writes)")
  }

  // contract 5
  @Test func everyReadIsAWrittenValueAndAllSubscribersSeeOneOrder() async {
    let property = MutableProperty(0)
    let (first, second) = (Recorder<Int>(), Recorder<Int>())
    let subscriptions = [property.subscribe(first), property.subscribe(second)]
    await race(threads: 4) { thread in
      for number in 1...10_000 {
        property.value = thread * 10_000 + number
        let value = property.value
        if !(1...40_000).contains(value) { Issue.record("read \(value)") }
      }
    }
    let last = property.value
    #expect(first.elements.last == last && second.elements.last == last)
    #expect(first.elements == second.elements)
    #expect(first.faults + second.faults == [])
    for subscription in subscriptions { subscription.dispose() }
  }

  // contract 5
  @Test func externalValuesAreSentInTheOrderInWhichTheyWereStored() async {
    let store = Locked(0)
    let property = Property { store.value }
    let values = Recorder<Int>()
    let subscription = property.subscribe(values)
    await race(threads: 4) { thread in
      for _ in 0..<10_000 {
        if thread == 0 { store.mutate { $0 += 1 } }
        _ = property.value
      }
    }
    #expect(values.elements.last == 10_000)
    #expect(zip(values.elements, values.elements.dropFirst()).allSatisfy { $0 < $1 })
    subscription.dispose()
  }

  // contract 5
  @Test func boundPropertiesAreEqualOnceTheWritesStop() async {
    let (a, b) = (MutableProperty(0), MutableProperty(0))
    let binding = a.bind(to: b)
    let (first, second) = (Recorder<Int>(), Recorder<Int>())
    let subscriptions = [a.subscribe(first), b.subscribe(second)]
    await race(threads: 2) { thread in
      for number in 0..<100_000 { (thread == 0 ? a : b).value = (number * 31 + thread) % 1_000 }
    }
    #expect(a.value == b.value && first.elements.last == a.value && second.elements.last == b.value)
    // Each write is passed on at most once, and comes back at most once.
    #expect(first.elements.count + second.elements.count <= 800_000)
    #expect(first.faults + second.faults == [])
    for subscription in subscriptions + [binding] { subscription.dispose() }
  }

  // contract 5
  @Test func editsFromManyThreadsEndAtTheState() async {
    let viewModel = NameViewModel(scheduler: DispatchQueue(label: "edits"))
    let name = viewModel.property(\.name, set: NameEdit.set)
    let values = Recorder<String>()
    let subscription = name.subscribe(values)
    await race(threads: 4) { thread in
      for number in 0..<10_000 { name.value = "\(thread).\(number)" }
    }
    _ = try? await viewModel.perform(.note("done"))
    #expect(name.value == viewModel.currentState.name)
    #expect(await eventually { values.elements.last == name.value })
    #expect(values.faults == [])
    subscription.dispose()
  }

  // contract 2.12
  @Test func everyResumeIsFollowedByOnePauseBeforeTheNext() async {
    let screen = ResumedScreen(scheduler: DispatchQueue(label: "resumes")) { screen, scope in
      screen.execute(Step("a", on: Observable<Int>.never()), in: scope)
    }
    await race(threads: 4) { thread in
      for _ in 0..<10_000 {
        screen.didResume()
        screen.didPause()
      }
    }
    _ = try? await screen.perform(Step("done"))
    let log = screen.log.value
    for (index, line) in log.enumerated() { #expect(line == (index % 2 == 0 ? "onResume" : "onPause")) }
    #expect(log.count % 2 == 0)
  }

  // contract 2.13
  @Test func noActionIsLostWhileItsBagIsDisposed() async {
    let screen = Screen(scheduler: DispatchQueue(label: "scopes"))
    let (bag, ends) = (DisposeBag(), Locked(0))
    let phases = screen.executionObservable.subscribe(onNext: { execution in
      if case .cancelled = execution.phase { ends.mutate { $0 += 1 } }
    })
    await race(threads: 4) { thread in
      for number in 0..<10_000 {
        screen.execute(Step("a", on: Observable<Int>.never()), in: bag)
        if number % 16 == thread { bag.dispose() }
      }
    }
    bag.dispose()
    _ = try? await screen.perform(Step("done"))
    #expect(ends.value == 40_000)
    phases.dispose()
  }

  // contract 1.4
  @Test func eachDisposableInABagIsDisposedOnce() async {
    let (bag, count) = (DisposeBag(), Locked(0))
    await race(threads: 4) { thread in
      for number in 0..<10_000 {
        Disposables.create { count.mutate { $0 += 1 } }.disposed(by: bag)
        if number % 7 == 0 { bag.dispose() }
      }
    }
    bag.dispose()
    #expect(count.value == 40_000)
  }
}
