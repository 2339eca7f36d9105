import RxViewModel
import Testing

@testable import TestSupport

// contract 1, points that differ: programming mistakes are trapped with a sentence that names the argument, in release builds too
#if os(macOS) || os(Linux)
  @Suite(.ownThread) struct MisuseTests {
    private static let mistakes: [(complaint: String, make: @Sendable () -> Void)] = {
      let (source, scheduler) = (Observable.just(1), ImmediateScheduler())
      return [
        ("retry: maxAttempts must be", { _ = source.retry(0) }),
        ("retry: attempts must be", { _ = source.retry(0, delay: { _ in .zero }, scheduler: scheduler) }),
        ("flatMap: maxConcurrent must be", { _ = source.flatMap(maxConcurrent: 0) { .just($0) } }),
        // contract 2, execution modes
        ("parallel: limit must be", { _ = ExecutionMode.parallel(limit: 0) }),
        ("parallel: limit must be", { _ = ExecutionMode.parallel("uploads", limit: -1) }),
        ("timer: period must be", { _ = Observable.timer(after: .zero, every: .zero, scheduler: scheduler) }),
        ("interval: period must be", { _ = Observable.interval(.zero, scheduler: scheduler) }),
        ("share: replay must", { _ = source.share(replay: -1) }),
        ("ReplaySubject: bufferSize must", { _ = ReplaySubject<Int>(bufferSize: -1) }),
        ("take: count must", { _ = source.take(-1) }),
        ("skip: count must", { _ = source.skip(-1) }),
        (
          "retry: delay must be at least 0.0 seconds, and is -1.0 seconds",
          {
            let failing = Observable<Int>.error(TestError())
            _ = failing.retry(2, delay: { _ in .seconds(-1) }, scheduler: scheduler).subscribe { _ in }
          }
        ),
      ]
    }()

    private static let durations: [(name: String, make: @Sendable (Duration) -> Void)] = {
      let (source, scheduler) = (Observable.just(true), ImmediateScheduler())
      return [
        ("timer: delay", { _ = Observable.timer($0, scheduler: scheduler) }),
        ("timer: delay", { _ = Observable.timer(after: $0, every: .seconds(1), scheduler: scheduler) }),
        ("timer: period", { _ = Observable.timer(after: .zero, every: $0, scheduler: scheduler) }),
        ("interval: period", { _ = Observable.interval($0, scheduler: scheduler) }),
        ("debounce: dueTime", { _ = source.debounce($0, scheduler: scheduler) }),
        ("throttle: period", { _ = source.throttle($0, scheduler: scheduler) }),
        ("delay: dueTime", { _ = source.delay($0, scheduler: scheduler) }),
        ("timeout: dueTime", { _ = source.timeout($0, scheduler: scheduler) }),
        ("smoothed: delay", { _ = source.smoothed(delay: $0, scheduler: scheduler) }),
        ("smoothed: minimum", { _ = source.smoothed(minimum: $0, scheduler: scheduler) }),
      ]
    }()

    private static let all: [(complaints: [String], make: @Sendable () -> Void)] =
      mistakes.map { ([$0.complaint], $0.make) }
      + durations.map { name, make in
        (["\(name) must be at least ", "and is -0.001 seconds"], { make(.milliseconds(-1)) })
      }

    @Test(arguments: all.indices)
    func aMistakeIsTrapped(index: Int) async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
        Self.all[index].make()
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      for complaint in Self.all[index].complaints { #expect(text.contains(complaint)) }
    }

    @Test func theLeastDurationsAreAccepted() {
      for (name, make) in Self.durations where !name.hasSuffix("period") { make(.zero) }
      for (_, make) in Self.durations { make(.nanoseconds(1)) }
    }
  }
#endif
