import Dispatch
import RxViewModelTesting
import Testing

@testable import RxViewModel

// contract 1: a delay longer than 2.1 s is that long on 32-bit systems too
@Suite struct DurationTests {
  @Test func aShortDurationIsCountedInNanoseconds() {
    #expect(Duration.seconds(3).dispatchInterval(countedIn: Int64.self) == .nanoseconds(3_000_000_000))
    #expect(Duration.seconds(2).dispatchInterval(countedIn: Int32.self) == .nanoseconds(2_000_000_000))
    #expect(Duration.nanoseconds(2_147_483_647).dispatchInterval(countedIn: Int32.self) == .nanoseconds(2_147_483_647))
  }

  @Test func aLongDurationIsCountedInACoarserUnit() {
    func interval(_ duration: Duration) -> DispatchTimeInterval { duration.dispatchInterval(countedIn: Int32.self) }
    #expect(interval(.nanoseconds(2_147_483_648)) == .microseconds(2_147_484))
    #expect(interval(.seconds(3)) == .microseconds(3_000_000))
    #expect(interval(.milliseconds(2_147_483)) == .microseconds(2_147_483_000))
    #expect(interval(.milliseconds(2_147_484)) == .milliseconds(2_147_484))
    #expect(interval(.seconds(2_147_483)) == .milliseconds(2_147_483_000))
    #expect(interval(.seconds(2_147_484)) == .seconds(2_147_484))
    #expect(interval(.seconds(2_147_483_647)) == .seconds(2_147_483_647))
    #expect(interval(.seconds(2_147_483_648)) == .never)
  }

  @Test(.ownThread) func theIntervalIsRoundedUpAndNeverShorter() {
    #expect(
      Duration(secondsComponent: 0, attosecondsComponent: 1).dispatchInterval(countedIn: Int32.self) == .nanoseconds(1))
    #expect((Duration.seconds(3) + .nanoseconds(1)).dispatchInterval(countedIn: Int32.self) == .microseconds(3_000_001))
    var random = SplitMix64(seed: 1)
    for _ in 0..<2_000 {
      let duration = Duration(
        secondsComponent: .random(in: 0..<(1 << Int64.random(in: 1...32, using: &random)), using: &random),
        attosecondsComponent: .random(in: 0..<1_000_000_000_000_000_000, using: &random))
      for interval in [
        duration.dispatchInterval(countedIn: Int32.self), duration.dispatchInterval(countedIn: Int64.self),
      ] {
        #expect(interval.duration.map { $0 >= duration } ?? true, "\(duration)")
        #expect(interval.duration.map { $0 <= duration * 1.001 + .nanoseconds(1) } ?? true, "\(duration)")
      }
    }
  }

  @Test func aNegativeDurationIsZeroAndOneBeyondTheRangeOfDispatchIsNever() {
    #expect(Duration.seconds(-3).dispatchInterval(countedIn: Int32.self) == .nanoseconds(0))
    #expect(Duration.zero.dispatchInterval(countedIn: Int64.self) == .nanoseconds(0))
    #expect(
      Duration.seconds(9_223_372_036).dispatchInterval(countedIn: Int64.self) == .nanoseconds(9_223_372_036_000_000_000)
    )
    #expect(Duration.seconds(9_223_372_037).dispatchInterval(countedIn: Int64.self) == .never)
    #expect(Duration.seconds(Int64.max).dispatchInterval(countedIn: Int64.self) == .never)
  }
}

extension DispatchTimeInterval {
  /// Nil for never.
  fileprivate var duration: Duration? {
    switch self {
    case .seconds(let count): .seconds(count)
    case .milliseconds(let count): .milliseconds(count)
    case .microseconds(let count): .microseconds(count)
    case .nanoseconds(let count): .nanoseconds(count)
    default: nil
    }
  }
}
