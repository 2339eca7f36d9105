import Testing

extension Trait where Self == TimeLimitTrait {
  /// Ends a test that hangs, by cancelling its task.
  ///
  /// The limit is far above the duration of a test. Its clock also runs while the tests of other suites occupy every thread of the pool,
  /// for minutes on a busy machine, so a lower limit would fail correct tests.
  static var hangLimit: Self { .timeLimit(.minutes(10)) }
}
