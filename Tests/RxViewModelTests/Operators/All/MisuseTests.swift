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
      #expect(complaint(result).contains("marbles: column 3 of “-a-b”: there is no value for “b”"))
    }

    @Test func aMarbleAfterTheEnd() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let events: [Recorded<String>] = .marbles("-a|b")
        _ = events
      }
      #expect(complaint(result).contains("marbles: column 3 of “-a|b”: something follows the end"))
    }

    @Test(arguments: [
      "(a-b)": "marbles: column 2 of “(a-b)”: time passes inside a bracket",
      "(a,(b))": "marbles: column 3 of “(a,(b))”: a bracket opens inside a bracket",
      "-a)": "marbles: column 2 of “-a)”: no bracket is open",
      "-(a,b": "marbles: column 1 of “-(a,b”: the bracket is not closed",
      "-()": "marbles: column 1 of “-()”: the bracket is empty",
      "-a,b": "marbles: column 2 of “-a,b”: a comma stands outside a bracket",
      "-(a, b)": "marbles: column 4 of “-(a, b)”: a space stands inside a bracket",
      "-a(b|)": "marbles: column 4 of “-a(b|)”: the stream ends inside the brackets of an element",
      "-next(1-": "marbles: column 1 of “-next(1-”: the element has a bracket without its partner",
      "-a]-": "marbles: column 1 of “-a]-”: the element has a bracket without its partner",
      "-a|--": "marbles: column 3 of “-a|--”: something follows the end",
      "-a| 5ms": "marbles: column 4 of “-a| 5ms”: something follows the end",
      "-a 10 ms b|":
        "marbles: column 3 of “-a 10 ms b|”: “10” is not a time, and only times such as 25ms have spaces around them",
      "a 25ms|":
        "marbles: column 2 of “a 25ms|”: “25ms|” is not a time, and only times such as 25ms have spaces around them",
      "a b": "marbles: column 2 of “a b”: “b” is not a time, and only times such as 25ms have spaces around them",
      "a^b^": "marbles: column 3 of “a^b^”: a second subscription",
    ])
    func aMarbleThatCannotBeRead(diagram: String, sentence: String) async {
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
