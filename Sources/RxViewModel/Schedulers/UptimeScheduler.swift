import Dispatch

/// A scheduler whose delays are measured in the time since the system started, as Dispatch measures them.
///
/// Virtual time is no such scheduler, nor is one that a user has made, since it may be one.
protocol UptimeScheduler: Scheduler {}

extension UptimeScheduler {
  /// The time since the system started, without the time that it slept.
  var uptime: Duration {
    .nanoseconds(Int64(DispatchTime.now().uptimeNanoseconds))
  }
}

extension DispatchQueue: UptimeScheduler {}
extension MainScheduler: UptimeScheduler {}
extension ImmediateScheduler: UptimeScheduler {}
