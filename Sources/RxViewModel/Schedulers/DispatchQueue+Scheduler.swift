import Dispatch

/// A serial queue runs work in the order of scheduling; a concurrent one may run pieces of work at the same time.
extension DispatchQueue: Scheduler {
  public func schedule(_ work: @escaping @Sendable () -> Void) {
    async(execute: work)
  }

  /// The work, with what it holds, is dropped as soon as the result is disposed, not when the delay has passed.
  public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    let work = ActionDisposable(work)
    asyncAfter(deadline: .now() + delay.dispatchInterval) { work.dispose() }
    return Disposables.create { work.cancel() }
  }
}

extension Duration {
  /// To the nanosecond, at least zero and at most what Dispatch can count.
  var dispatchInterval: DispatchTimeInterval {
    if self <= .zero { return .nanoseconds(0) }
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (nanoseconds, overflow2) = whole.addingReportingOverflow((attoseconds + 999_999_999) / 1_000_000_000)
    return overflow || overflow2 ? .never : .nanoseconds(Int(clamping: nanoseconds))
  }
}
