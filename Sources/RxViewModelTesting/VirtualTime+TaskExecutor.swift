import Dispatch
import RxViewModel

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension VirtualTime: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    enqueue(UnownedJob(job), on: asUnownedTaskExecutor())
  }

  /// Schedules the job as work that is due now. The job has to run, so that its task ends: after the release of the
  /// scheduler it runs on a global queue.
  func enqueue(_ job: UnownedJob, on executor: UnownedTaskExecutor) {
    let run: @Sendable () -> Void = { [self] in
      job.runSynchronously(on: executor)
      // An actor's job does not retain the executor.
      withExtendedLifetime(self) {}
    }
    var body = VirtualWork.Body(run: run, onDrop: { DispatchQueue.global().async(execute: run) })
    body.jobOf = ThreadID.current
    schedule(after: nil, body)
  }
}

/// Runs the tasks that prefer this scheduler: their jobs are work that is due now.
///
/// If an `Observable.task` is subscribed while the scheduler is running work, its task prefers the scheduler automatically. For a task that
/// your test starts itself, write `Task(executorPreference: scheduler) { … }`.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension TestScheduler: TaskExecutor {
  /// Schedules a job of a task. The Swift runtime calls this, on any thread.
  public func enqueue(_ job: consuming ExecutorJob) {
    time.enqueue(UnownedJob(job), on: asUnownedTaskExecutor())
  }
}
