import Dispatch

extension Duration {
  /// This duration as an interval for Dispatch, in the finest unit whose count `Count` can hold; rounded up, so that it
  /// is never shorter.
  ///
  /// Zero for a negative duration, `never` for one that is longer than Dispatch can count. Dispatch takes an `Int`: on
  /// a 32-bit system that holds 2.1 s in nanoseconds, 35 minutes in microseconds, 24 days in milliseconds.
  func dispatchInterval<Count: FixedWidthInteger>(countedIn _: Count.Type) -> DispatchTimeInterval {
    if self <= .zero { return .nanoseconds(0) }
    guard let nanoseconds else { return .never }
    if let count = Count(exactly: nanoseconds) { return .nanoseconds(Int(count)) }
    if let count = Count(exactly: nanoseconds.dividedRoundingUp(by: 1_000)) { return .microseconds(Int(count)) }
    if let count = Count(exactly: nanoseconds.dividedRoundingUp(by: 1_000_000)) { return .milliseconds(Int(count)) }
    if let count = Count(exactly: nanoseconds.dividedRoundingUp(by: 1_000_000_000)) { return .seconds(Int(count)) }
    return .never
  }

  /// Rounded up; nil for more than Dispatch can count.
  private var nanoseconds: Int64? {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (nanoseconds, overflow2) = whole.addingReportingOverflow((attoseconds + 999_999_999) / 1_000_000_000)
    return overflow || overflow2 ? nil : nanoseconds
  }
}

extension Int64 {
  fileprivate func dividedRoundingUp(by divisor: Int64) -> Int64 {
    self / divisor + (self % divisor > 0 ? 1 : 0)
  }
}
