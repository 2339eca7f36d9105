import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 1, points that differ: an argument that makes no sense is trapped with its name, the least value and the value
#if os(macOS) || os(Linux)
  @Suite(.ownThread) struct SenselessArgumentTests {
    private static let makers: [(complaint: String, make: @Sendable (Duration) -> Void)] = {
      let (source, scheduler) = (Observable.just(true), ImmediateScheduler())
      return [
        ("timer: delay", { _ = Observable.timer($0, scheduler: scheduler) }),
        ("timer: delay", { _ = Observable.timer(after: $0, every: .seconds(1), scheduler: scheduler) }),
        ("timer: period", { _ = Observable.timer(after: .zero, every: $0, scheduler: scheduler) }),
        ("interval: period", { _ = Observable.interval($0, scheduler: scheduler) }),
        ("debounce: dueTime", { _ = source.debounce($0, scheduler: scheduler) }),
        ("throttle: period", { _ = source.throttle($0, scheduler: scheduler) }),
        ("delay: dueTime", { _ = source.delay($0, scheduler: scheduler) }),
        ("timeout: dueTime", { _ = source.timeout($0, scheduler: scheduler) }),
        ("smoothed: delay", { _ = source.smoothed(delay: $0, scheduler: scheduler) }),
        ("smoothed: minimum", { _ = source.smoothed(minimum: $0, scheduler: scheduler) }),
      ]
    }()

    @Test(arguments: makers.indices)
    func aNegativeDurationIsTrapped(index: Int) async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
        Self.makers[index].make(.milliseconds(-1))
      }
      let complaint = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(complaint.contains("\(Self.makers[index].complaint) must be at least "))
      #expect(complaint.contains("and is -0.001 seconds"))
    }

    @Test func theLeastDurationsAreAccepted() {
      for maker in Self.makers where !maker.complaint.hasSuffix("period") { maker.make(.zero) }
      for maker in Self.makers { maker.make(.nanoseconds(1)) }
    }

    @Test func aDelayThatARetryComputesIsTrappedToo() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let failing = Observable<Int>.error(TestError())
        _ = failing.retry(2, delay: { _ in .seconds(-1) }, scheduler: ImmediateScheduler()).subscribe { _ in }
      }
      let complaint = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(complaint.contains("timer: delay must be at least 0.0 seconds, and is -1.0 seconds"))
    }
  }
#endif
