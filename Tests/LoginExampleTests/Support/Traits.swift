import Foundation
import Testing

/// How long a test waits for the output of a program before it fails.
let waitLimit = Duration.seconds(180)

extension Trait where Self == TimeLimitTrait {
  /// Ends a test that hangs, by cancelling its task.
  ///
  /// The limit is far above the duration of a test. Its clock also runs while the tests of other suites occupy every thread of the pool,
  /// for minutes on a busy machine, so a lower limit would fail correct tests.
  static var hangLimit: Self { .timeLimit(.minutes(10)) }
}

extension Trait where Self == ConditionTrait {
  /// Skips the tests, which take seconds, unless the environment variable `RX_STRESS` is 1, as it is in `.ci/run`.
  static var stress: Self {
    .enabled(if: ProcessInfo.processInfo.environment["RX_STRESS"] == "1", "runs with RX_STRESS=1")
  }
}
