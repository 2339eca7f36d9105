import RxViewModel
import RxViewModelTesting
import Testing

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
      #expect(complaint(result).contains("retry: maxAttempts must be greater than 0"))
    }

    @Test func retryZeroWithADelay() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Observable.just(1).retry(0, delay: { _ in .zero }, scheduler: ImmediateScheduler())
      }
      #expect(complaint(result).contains("retry: attempts must be greater than 0"))
    }

    @Test func negativeRepeat() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Observable.just(1).repeat(-1)
      }
      #expect(complaint(result).contains("repeat: count must not be negative"))
    }

    @Test func flatMapNothingAtATime() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Observable.just(1).flatMap(maxConcurrent: 0) { .just($0) }
      }
      #expect(complaint(result).contains("flatMap: maxConcurrent must be greater than 0"))
    }

    @Test func mergeNothingAtATime() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Observable.just(Observable.just(1)).merge(maxConcurrent: 0)
      }
      #expect(complaint(result).contains("merge: maxConcurrent must be greater than 0"))
    }

    // contract 2, execution modes
    @Test func aLimitBelowOne() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = ExecutionMode.parallel(limit: 0)
      }
      #expect(complaint(result).contains("parallel: limit must be greater than 0"))
      let named = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = ExecutionMode.parallel("uploads", limit: -1)
      }
      #expect(complaint(named).contains("parallel: limit must be greater than 0"))
    }

    @Test func bufferOfNothing() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Observable.just(1).buffer(count: 0)
      }
      #expect(complaint(result).contains("buffer: count must be greater than 0"))
    }

    @Test func bufferForNoTime() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Observable.just(1).buffer(for: .zero, scheduler: ImmediateScheduler())
      }
      #expect(complaint(result).contains("buffer: timeSpan must be greater than zero"))
    }

    @Test func bufferOfNothingForATime() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Observable.just(1).buffer(for: .seconds(1), count: 0, scheduler: ImmediateScheduler())
      }
      #expect(complaint(result).contains("buffer: count must be greater than 0"))
    }

    @Test func timerEveryNoTime() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Observable.timer(after: .zero, every: .zero, scheduler: ImmediateScheduler())
      }
      #expect(complaint(result).contains("timer: period must be greater than zero"))
    }

    @Test func intervalZero() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Observable.interval(.zero, scheduler: ImmediateScheduler())
      }
      #expect(complaint(result).contains("interval: period must be greater than zero"))
    }

    @Test func negativeReplay() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Observable.just(1).share(replay: -1)
      }
      #expect(complaint(result).contains("share: replay must not be negative"))
    }

    @Test func negativeBufferSize() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = ReplaySubject<Int>(bufferSize: -1)
      }
      #expect(complaint(result).contains("ReplaySubject: bufferSize must not be negative"))
    }
  }
#endif
