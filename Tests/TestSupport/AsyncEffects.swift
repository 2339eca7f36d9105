import Testing

extension Trait where Self == ConditionTrait {
  /// Disables the tests on systems where tasks run in real time, although a `TestScheduler` runs work.
  static var asyncEffects: Self {
    .enabled("async effects run in virtual time") {
      if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, *) { true } else { false }
    }
  }
}
