import Foundation
import Testing

extension Trait where Self == ConditionTrait {
  /// Leaves the tests out of `swift test`, unless the environment variable `RX_STRESS` is 1, as it is in `.ci/run`.
  ///
  /// For the folder `Stress`: random input, long lines and shells, which take seconds.
  static var stress: Self {
    .enabled(if: ProcessInfo.processInfo.environment["RX_STRESS"] == "1", "runs with RX_STRESS=1")
  }
}
