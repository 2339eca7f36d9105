import Foundation
import Testing

extension Trait where Self == ConditionTrait {
  /// Skips the tests unless the environment variable `RX_STRESS` is 1, as it is in `.ci/run`.
  ///
  /// The tests of the folder `Stress` have this trait. They use random input, long lines and shells, and take seconds.
  static var stress: Self {
    .enabled(if: ProcessInfo.processInfo.environment["RX_STRESS"] == "1", "runs with RX_STRESS=1")
  }
}
