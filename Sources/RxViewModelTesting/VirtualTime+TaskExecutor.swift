import Dispatch
import RxViewModel

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension VirtualTime: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    enqueue(UnownedJob(job), on: asUnownedTaskExecutor())
  }

  /// The job is work that is due now. A job has to run, so that its task ends: once the scheduler has gone it runs on a
  /// global queue.
  func enqueue(_ job: UnownedJob, on executor: UnownedTaskExecutor) {
    let run: @Sendable () -> Void = { [self] in
      job.runSynchronously(on: executor)
      // An actor's job does not hold the executor.
      withExtendedLifetime(self) {}
    }
    schedule(after: .zero, VirtualWork.Body(run: run, abandon: { DispatchQueue.global().async(execute: run) }))
  }
}

/// Runs the tasks that prefer it: their jobs are work that is due now.
///
/// An `Observable.task` that is subscribed while the scheduler is at work prefers it without
/// being told. For a task of the test's own write `Task(executorPreference: scheduler) { … }`.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension TestScheduler: TaskExecutor {
  /// Takes a job of a task. Called by the Swift runtime, on any thread.
  public func enqueue(_ job: consuming ExecutorJob) {
    time.enqueue(UnownedJob(job), on: asUnownedTaskExecutor())
  }
}
