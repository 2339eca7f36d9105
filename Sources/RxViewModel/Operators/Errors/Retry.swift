extension ObservableType {
  /// Subscribes to the source again when it fails, at most `maxAttempts` times in all.
  ///
  ///     source    --1--#
  ///     source         --1--#
  ///     retry(2)  --1----1--#
  ///
  /// Subscribes again on the thread of the error, without recursion. If the source is still being subscribed then, the thread that does so
  /// subscribes again afterwards. If the source always fails immediately, all attempts are made before `subscribe` returns. The error of the last attempt ends the stream. Traps if `maxAttempts` is 0 or less.
  @inlinable
  public func retry(_ maxAttempts: Int) -> Observable<Element> {
    require(maxAttempts, atLeast: 1, "retry: maxAttempts")
    let source = asObservable()
    return .sequence(source, maxAttempts) { left, error in
      left -= 1
      return error != nil && left > 0 ? source : nil
    }
  }

  /// Subscribes to the source again some time after it fails, at most `attempts` times in all.
  ///
  ///     source               --1--#
  ///     source                      --1--#
  ///     retry(2, delay: 2–)  --1------1--#
  ///
  /// After the n-th failure, subscribes again on `scheduler` once `delay(n)` has passed: the first failure is number 1. The error of the
  /// last attempt ends the stream. An error for which `shouldRetry` returns false ends it immediately. Calls both closures on the thread of
  /// the error. Disposing the subscription cancels a pending attempt.
  ///
  /// ```swift
  /// rates.retry(5, delay: { .milliseconds(100 << $0) }, scheduler: queue, while: { $0 is URLError })
  /// ```
  ///
  /// Traps if `attempts` is 0 or less. Each failure costs one scheduled piece of work.
  @inlinable
  public func retry(
    _ attempts: Int, delay: @escaping @Sendable (Int) -> Duration, scheduler: any Scheduler,
    while shouldRetry: @escaping @Sendable (any Error) -> Bool = { _ in true }
  ) -> Observable<Element> {
    require(attempts, atLeast: 1, "retry: attempts")
    let scheduler = SchedulerHandle(scheduler)
    let source = asObservable()
    return .sequence(source, 0) { failures, error in
      failures += 1
      guard let error, failures < attempts, shouldRetry(error) else { return nil }
      let wait = delay(failures)
      require(wait, atLeast: .zero, "retry: delay")
      return Observable<Int>.timer(wait, on: scheduler).flatMap { _ in source }
    }
  }
}
