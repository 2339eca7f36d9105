import Dispatch

/// Schedules the remaining delivery when a thread hands it over (contract 1.10).
@usableFromInline typealias Continuation = @Sendable (@escaping @Sendable () -> Void) -> Void

/// Continues a delivery on a global queue.
@usableFromInline
@Sendable
func continueOnGlobalQueue(_ work: @escaping @Sendable () -> Void) {
  DispatchQueue.global().async(execute: work)
}
