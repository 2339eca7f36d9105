import Dispatch
import RxViewModelTesting
import Testing

@testable import RxViewModel

// contract 1: a delay longer than 2.1 s is that long on 32-bit systems too
@Suite struct DurationTests {
  private let start = DispatchTime(uptimeNanoseconds: 1_000_000_000)

  private func nanoseconds(_ delay: Duration) -> UInt64 {
    (start + delay).uptimeNanoseconds - start.uptimeNanoseconds
  }

  @Test func aLongDelayIsCountedInNanoseconds() {
    #expect(nanoseconds(.milliseconds(2_148)) == 2_148_000_000)
    #expect(nanoseconds(.seconds(3_600)) == 3_600_000_000_000)
  }

  @Test func aDelayIsRoundedUpAndNeverShorter() {
    #expect(nanoseconds(Duration(secondsComponent: 0, attosecondsComponent: 1)) == 1)
    #expect(nanoseconds(.seconds(3) + Duration(secondsComponent: 0, attosecondsComponent: 1)) == 3_000_000_001)
    var random = SplitMix64(seed: 1)
    for _ in 0..<2_000 {
      let delay = Duration(
        secondsComponent: .random(in: 0..<(1 << Int64.random(in: 1...31, using: &random)), using: &random),
        attosecondsComponent: .random(in: 0..<1_000_000_000_000_000_000, using: &random))
      let counted = Duration.nanoseconds(Int64(nanoseconds(delay)))
      #expect(counted >= delay && counted <= delay + .nanoseconds(1), "\(delay)")
    }
  }

  @Test func aNegativeDelayIsZeroAndOneBeyondTheRangeOfDispatchNeverEnds() {
    #expect(nanoseconds(.seconds(-3)) == 0)
    #expect(nanoseconds(.zero) == 0)
    #expect(start + .seconds(Int64.max) == .distantFuture)
  }
}
