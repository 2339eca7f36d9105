import Foundation
import Races
import RxViewModel
import RxViewModelTesting
import Testing

struct CardPaymentTests {
  private struct Fixture {
    /// The keys of the charges that the server has made.
    let charges = MutableProperty(Set<String>())
    let payment: CardPayment

    init(_ run: Exploration, _ make: (Int, PaymentService, (any Scheduler)?) -> CardPayment) {
      let (charges, keys) = (charges, MutableProperty(0))
      let service = PaymentService(
        newKey: {
          keys.update { $0 += 1 }
          return "attempt \(keys.value)"
        },
        charge: { order, key in
          try await run.request("charge", failing: URLError(.timedOut)) { charges.update { _ = $0.insert(key) } }
        })
      payment = make(7, service, run.scheduler)
    }
  }

  /// Pays, taps once more at any time, and tries again until the screen says that the order is paid.
  private func pay(_ run: Exploration, _ make: (Int, PaymentService, (any Scheduler)?) -> CardPayment) throws {
    let fixture = Fixture(run, make)
    fixture.payment.execute(.pay)
    run.mayArrive()
    fixture.payment.execute(.pay)
    run.allArrive()
    while !fixture.payment.currentState.isPaid {
      fixture.payment.execute(.pay)
      run.allArrive()
    }
    try run.expect(fixture.charges.value.count == 1, "charged \(fixture.charges.value.count) times")
  }

  // If the server has handled the charge that failed, the order is charged twice, whatever comes first. So orders of the same failure end
  // alike, and the test has to say what is right.
  @Test func tryAgainChargesTwice() throws {
    let failure = try #require(throws: TestFailure.self) { try explore { try pay($0, CardPayment.init) } }
    #expect("\(failure)".hasPrefix("fails in 11 of 16 orders, first in"), "\(failure)")
    #expect("\(failure)".contains("charged 2 times"), "\(failure)")
  }

  @Test func theKeyOfTheOrderChargesOnce() throws {
    let report = try explore { try pay($0, CuredCardPayment.init) }
    #expect(report.isExhaustive && report.runs == 16, "\(report)")
  }

  @Test func threeFailures() throws {
    let report = try explore(failures: 3) { try pay($0, CuredCardPayment.init) }
    #expect(report.isExhaustive && report.runs == 132, "\(report)")
  }

  @Test func whateverTheUserTaps() throws {
    try explore(limit: 2_000, failures: 2, overlapping: true) { run in
      let fixture = Fixture(run, CuredCardPayment.init)
      for _ in 0..<run.choose(0...6) {
        fixture.payment.execute(run.choose(.pay, .cancel))
        run.mayArrive()
        try run.expect(fixture.charges.value.count <= 1)
      }
      run.allArrive()
      try run.expect(fixture.charges.value.count <= 1)
    }
  }
}
