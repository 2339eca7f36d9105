import Testing

/// The number of seconds that a test waits for a program or a thread before it fails. All waits of these tests have this bound.
///
/// The limit ends a test that hangs. Each wait has its own clock: between two waits the test itself may have to wait for a thread of the
/// pool, and that time does not count.
let waitLimit = 180

extension Trait where Self == TimeLimitTrait {
  /// Ends a test that hangs by cancelling its task.
  ///
  /// The limit is far above the duration of a test. Its clock also runs while the tests of other suites occupy every thread of the pool,
  /// for minutes on a busy machine, so a lower limit would fail correct tests.
  static var hangLimit: Self { .timeLimit(.minutes(10)) }
}
