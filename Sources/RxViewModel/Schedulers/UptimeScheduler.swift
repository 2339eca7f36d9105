import Dispatch

/// A scheduler whose delays are measured in the time since the system started, as Dispatch measures them.
///
/// A `TestScheduler` does not conform. A user's own scheduler does not either, because it may run in virtual time too.
protocol UptimeScheduler: Scheduler {}

extension DispatchQueue: UptimeScheduler {}
extension MainScheduler: UptimeScheduler {}
extension ImmediateScheduler: UptimeScheduler {}
