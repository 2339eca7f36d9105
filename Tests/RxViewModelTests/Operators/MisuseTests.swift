import RxViewModel
import RxViewModelTesting
import Testing

// contract 1, arguments: programming mistakes are trapped with a sentence that names them, in release builds too
#if os(macOS) || os(Linux)
  @Suite struct MisuseTests {
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

    @Test func aMarbleWithoutAValue() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let events: [Recorded<Int>] = .marbles("-a-b", ["a": 1])
        _ = events
      }
      #expect(complaint(result).contains("marbles: no value for b in -a-b"))
    }

    @Test func aMarbleBehindTheEnd() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let events: [Recorded<String>] = .marbles("-a|b")
        _ = events
      }
      #expect(complaint(result).contains("marbles: something follows the end in -a|b"))
    }

    @Test(arguments: [
      "(a-b)": "marbles: time passes inside a bracket in (a-b)",
      "(a(b))": "marbles: a bracket inside a bracket in (a(b))",
      "-a)": "marbles: no bracket is open in -a)",
      "-(ab": "marbles: a bracket is left open in -(ab",
    ])
    func aMarbleWithAWrongBracket(diagram: String, sentence: String) async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [diagram] in
        let events: [Recorded<String>] = .marbles(diagram)
        _ = events
      }
      #expect(complaint(result).contains(sentence))
    }

    @Test func negativeBufferSize() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = ReplaySubject<Int>(bufferSize: -1)
      }
      #expect(complaint(result).contains("ReplaySubject: bufferSize must not be negative"))
    }
  }
#endif
