import Dispatch

/// Runs later what a thread leaves undone when it hands a delivery over (contract 1.10).
@usableFromInline typealias Continuation = @Sendable (@escaping @Sendable () -> Void) -> Void

/// Goes on with a delivery on a thread of the system's.
@usableFromInline
@Sendable
func continueOnGlobalQueue(_ work: @escaping @Sendable () -> Void) {
  DispatchQueue.global().async(execute: work)
}
