import Testing

extension Trait where Self == TimeLimitTrait {
  /// Ends a test that hangs, by cancelling what it awaits.
  ///
  /// It says nothing about how long a test takes. The clock also runs while the tests of other suites occupy every thread of
  /// the pool, for minutes on a busy machine: a limit below that fails tests that have done nothing wrong.
  static var hangLimit: Self { .timeLimit(.minutes(10)) }
}
