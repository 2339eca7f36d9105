import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 4.6
@Suite("explore makes each run once", .asyncEffects) struct CountTests {
  /// Starts `count` effects, each of which waits for its arrival.
  private static func start(_ count: Int, _ run: Exploration) -> [TestObserver<Int>] {
    (0..<count).map { number in
      Observable.task { () -> Int in
        try await run.arrival("\(number)")
        return number
      }.test(run.scheduler)
    }
  }

  private static func factorial(_ number: Int) -> Int { (1...max(number, 1)).reduce(1, *) }

  @Test(arguments: 0...5) func allArriveMakesEachOrder(count: Int) throws {
    let orders = Locked<[[Int]]>([])
    let report = try explore { run in
      let order = Locked<[Int]>([])
      let subscriptions = (0..<count).map { number in
        Observable.task { try await run.arrival() }.subscribe(onNext: { _ in order.append(number) })
      }
      run.allArrive()
      orders.append(order.value)
      withExtendedLifetime(subscriptions) {}
    }
    #expect(report.runs == Self.factorial(count) && report.isExhaustive)
    #expect(Set(orders.value).count == report.runs && orders.value.allSatisfy { $0.count == count })
  }

  @Test(arguments: 0...4) func mayArriveMakesEachPartOfEachOrder(count: Int) throws {
    let report = try explore { run in
      let observers = Self.start(count, run)
      run.mayArrive()
      withExtendedLifetime(observers) {}
    }
    let expected = (0...count).map { Self.factorial(count) / Self.factorial(count - $0) }.reduce(0, +)
    #expect(report.runs == expected && report.isExhaustive)
  }

  @Test(arguments: 1...4) func overlappingDoublesTheRunsForEachArrivalButTheLast(count: Int) throws {
    let report = try explore(overlapping: true) { run in
      let observers = Self.start(count, run)
      run.allArrive()
      try run.expect(observers.allSatisfy(\.isCompleted))
    }
    #expect(report.runs == Self.factorial(count) << (count - 1) && report.isExhaustive)
  }

  @Test func chooseMakesEachOption() throws {
    let seen = Locked<[String]>([])
    let report = try explore { run in
      let text = run.choose("a", "b", "c")
      seen.append("\(text)\(run.choose(3...4))\(run.choose(true))")
    }
    #expect(report.runs == 6 && report.isExhaustive)
    #expect(seen.value == ["a3true", "b3true", "c3true", "a4true", "b4true", "c4true"])
    #expect(try explore { run in try run.expect(run.choose(Int.min...Int.max) < 0) }.runs == 10_000)
    #expect(try explore { _ in }.runs == 1)
  }

  @Test func timersOfOneInstantAreOneArrivalThatComesLast() throws {
    let orders = Locked<[String]>([])
    let report = try explore { run in
      let (order, clock) = (Locked(""), run.scheduler.clock)
      let subscriptions =
        [("1", 10), ("2", 10), ("3", 20)].map { name, delay in
          Observable.timer(.milliseconds(delay), scheduler: run.scheduler)
            .subscribe(onNext: { _ in order.mutate { $0 += name } })
        } + [
          Observable.task { try await clock.sleep(for: .milliseconds(20)) }
            .subscribe(onNext: { _ in order.mutate { $0 += "4" } }),
          Observable.task { try await run.arrival() }.subscribe(onNext: { _ in order.mutate { $0 += "a" } }),
        ]
      run.allArrive()
      try run.expect(run.scheduler.now == .milliseconds(20))
      orders.append(order.value)
      withExtendedLifetime(subscriptions) {}
    }
    #expect(report.runs == 3)
    #expect(orders.value == ["a1234", "12a34", "1234a"])
  }

  @Test func chooseAndExpectRunNothing() throws {
    try explore { run in
      let hasRun = Locked(false)
      run.scheduler.schedule { hasRun.mutate { $0 = true } }
      _ = run.choose(true)
      try run.expect(!hasRun.value)
      run.mayArrive()
      try run.expect(hasRun.value)
    }
  }

  @Test func theSchedulerMakesNoChoices() throws {
    let report = try explore { run in
      let observers = Self.start(3, run)
      run.scheduler.run()
      run.scheduler.advance(by: .seconds(1))
      try run.expect(observers.allSatisfy(\.events.isEmpty))
    }
    #expect(report.runs == 1 && report.isExhaustive)
  }
}
