import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 1, arguments: programming mistakes are trapped with a sentence that names them, in release builds too
#if os(macOS) || os(Linux)
  @Suite(.ownThread) struct MisuseTests {
    private func complaint(_ result: ExitTest.Result?) -> String {
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func retryZero() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Observable.just(1).retry(0)
      }
      #expect(complaint(result).contains("retry: maxAttempts must be"))
    }

    @Test func retryZeroWithADelay() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Observable.just(1).retry(0, delay: { _ in .zero }, scheduler: ImmediateScheduler())
      }
      #expect(complaint(result).contains("retry: attempts must be"))
    }

    @Test func flatMapNothingAtATime() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Observable.just(1).flatMap(maxConcurrent: 0) { .just($0) }
      }
      #expect(complaint(result).contains("flatMap: maxConcurrent must be"))
    }

    // contract 2, execution modes
    @Test func aLimitBelowOne() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = ExecutionMode.parallel(limit: 0)
      }
      #expect(complaint(result).contains("parallel: limit must be"))
      let named = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = ExecutionMode.parallel("uploads", limit: -1)
      }
      #expect(complaint(named).contains("parallel: limit must be"))
    }

    @Test func timerEveryNoTime() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Observable.timer(after: .zero, every: .zero, scheduler: ImmediateScheduler())
      }
      #expect(complaint(result).contains("timer: period must be"))
    }

    @Test func intervalZero() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Observable.interval(.zero, scheduler: ImmediateScheduler())
      }
      #expect(complaint(result).contains("interval: period must be"))
    }

    @Test func negativeReplay() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Observable.just(1).share(replay: -1)
      }
      #expect(complaint(result).contains("share: replay must"))
    }

    @Test func negativeBufferSize() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = ReplaySubject<Int>(bufferSize: -1)
      }
      #expect(complaint(result).contains("ReplaySubject: bufferSize must"))
    }

    @Test func negativeCounts() async {
      let take = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Observable.just(1).take(-1)
      }
      #expect(complaint(take).contains("take: count must"))
      let skip = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Observable.just(1).skip(-1)
      }
      #expect(complaint(skip).contains("skip: count must"))
    }
  }
#endif
