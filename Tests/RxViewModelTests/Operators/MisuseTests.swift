import RxViewModel
import RxViewModelTesting
import Testing

// contract 1, arguments: programming mistakes are trapped with a sentence that names them
#if os(macOS) || os(Linux)
  @Suite struct MisuseTests {
    private func complaint(_ result: ExitTest.Result?) -> String {
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func retryZero() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Observable.just(1).retry(0)
      }
      #if DEBUG
        #expect(complaint(result).contains("retry: maxAttempts must be greater than 0"))
      #endif
    }

    @Test func intervalZero() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Observable.interval(.zero, scheduler: ImmediateScheduler())
      }
      #if DEBUG
        #expect(complaint(result).contains("interval: period must be greater than zero"))
      #endif
    }

    @Test func negativeReplay() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Observable.just(1).share(replay: -1)
      }
      #if DEBUG
        #expect(complaint(result).contains("share: replay must not be negative"))
      #endif
    }

    @Test func negativeBufferSize() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = ReplaySubject<Int>(bufferSize: -1)
      }
      #if DEBUG
        #expect(complaint(result).contains("ReplaySubject: bufferSize must not be negative"))
      #endif
    }
  }
#endif
