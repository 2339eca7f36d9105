import Testing

/// How many seconds a test waits for a program or a thread, until it fails: the one bound of these tests.
///
/// It is there to end a test that hangs. The clock runs only during a wait: between two of them the test itself may have to
/// wait for a thread of the pool.
let waitLimit = 180

extension Trait where Self == TimeLimitTrait {
  /// Ends a test that hangs, by cancelling what it awaits.
  ///
  /// It says nothing about how long a test takes. The clock also runs while the tests of other suites occupy every thread of
  /// the pool, for minutes on a busy machine: a limit below that fails tests that have done nothing wrong.
  static var hangLimit: Self { .timeLimit(.minutes(10)) }
}
