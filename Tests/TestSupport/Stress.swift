import Foundation
import Testing

extension Trait where Self == ConditionTrait {
  /// Disables the tests unless the environment variable `RX_STRESS` is 1, as it is in `.ci/run`.
  ///
  /// For the target `StressTests`, whose races, long chains and small stacks take seconds and occupy every processor, and for each test
  /// elsewhere that measures time or repeats something a hundred thousand times.
  static var stress: Self {
    .enabled(if: ProcessInfo.processInfo.environment["RX_STRESS"] == "1", "runs with RX_STRESS=1")
  }
}
