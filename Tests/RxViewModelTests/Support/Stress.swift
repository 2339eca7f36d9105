import Foundation
import Testing

extension Trait where Self == ConditionTrait {
  /// Leaves the tests out of `swift test`, unless the environment variable `RX_STRESS` is 1, as it is in `.ci/run`.
  ///
  /// For the folder `Stress`: races, long chains and campaigns, which take seconds and occupy every processor. And for each test
  /// elsewhere that measures time, or that does something a hundred thousand times.
  static var stress: Self {
    .enabled(if: ProcessInfo.processInfo.environment["RX_STRESS"] == "1", "runs with RX_STRESS=1")
  }
}
