import Dispatch
import Foundation
import RxViewModel
import Testing

@testable import TestSupport

@Suite(.stress) struct PropertyRaceTests {
  // contract 5
  @Test func externalValuesAreSentInTheOrderInWhichTheyWereStored() async {
    let store = Locked(0)
    let property = Property { store.value }
    let values = Recorder<Int>()
    let subscription = property.subscribe(values)
    await race(threads: 4) { thread in
      for _ in 0..<10_000 {
        if thread == 0 { store.increment() }
        property.refresh()
      }
    }
    #expect(values.elements.last == 10_000)
    #expect(zip(values.elements, values.elements.dropFirst()).allSatisfy { $0 < $1 })
    subscription.dispose()
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
      if case .cancelled = execution.phase { ends.increment() }
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
        Disposables.create { count.increment() }.disposed(by: bag)
        if number % 7 == 0 { bag.dispose() }
      }
    }
    bag.dispose()
    #expect(count.value == 40_000)
  }
}

// contract 5
struct PolledPropertyRaceTests {
  /// A refresh reads "b". A write of "a" begins, and ends when "b" has been sent, with a read that equals the value that it knows.
  @Test func aReadThatFindsNoChangeReadsAgainIfAnotherHasSent() async {
    let (stored, seen) = (Locked("a"), Locked<[String]>([]))
    let (isReading, isSent, hasWritten) = (Signal(), Signal(), Signal())
    let whileReading = Locked<[@Sendable () -> Void]>([])
    let property = MutableProperty(
      get: {
        let value = stored.value
        whileReading.mutate { $0.isEmpty ? nil : $0.removeFirst() }?()
        return value
      }, set: { value in stored.mutate { $0 = value } })
    let subscription = property.subscribe(onNext: { value in
      seen.append(value)
      if value == "b" { isSent.fire() }
    })
    whileReading.mutate {
      $0 = [
        {
          Thread {
            property.value = "a"
            hasWritten.fire()
          }.start()
          #expect(isReading.wait())
        },
        {
          isReading.fire()
          #expect(isSent.wait())
        },
      ]
    }
    stored.mutate { $0 = "b" }
    await onThread {
      property.readOnly.refresh()
      #expect(hasWritten.wait())
    }
    #expect(seen.value == ["a", "b", "a"])
    subscription.dispose()
  }
}

// contract 5
@Suite(.stress, .ownThread) struct BoundPropertiesRaceTests {
  @Test(arguments: RefusingProperty.allCases)
  func boundPropertiesAreEqualOnceEightThreadsHaveWritten(_ kind: RefusingProperty) async throws {
    for round in 0..<20 {
      let plain = MutableProperty(round * 10)
      let limited = kind.make(limit: 50, scheduler: DispatchQueue(label: "limit"))
      let binding = round % 2 == 0 ? plain.bind(to: limited) : limited.bind(to: plain)
      await race(threads: 8) { thread in
        for number in 0..<250 {
          (thread % 2 == 0 ? plain : limited).value = (number * 31 + thread * 7 + round) % 100
        }
      }
      try #require(await eventually { plain.value == limited.value && plain.value <= 50 }, "round \(round)")
      binding.dispose()
    }
  }

  @Test(arguments: RefusingProperty.allCases)
  func aRefusedLastWriteIsTakenBack(_ kind: RefusingProperty) async throws {
    for round in 0..<50 {
      let (plain, limited) = (
        MutableProperty(0), kind.make(limit: 50, scheduler: DispatchQueue(label: "limit"))
      )
      let binding = plain.bind(to: limited)
      // Every write is refused, so that nothing but the refusal makes the two equal.
      await race(threads: 8) { thread in
        for number in 0..<20 { plain.value = 51 + thread * 20 + number }
      }
      try #require(await eventually { plain.value == 0 && limited.value == 0 }, "round \(round)")
      binding.dispose()
    }
  }
}
