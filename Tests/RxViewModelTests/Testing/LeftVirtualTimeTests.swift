import RxViewModel
import RxViewModelTesting
import Testing

// contract 4
@Suite("Virtual time that is left says so") struct LeftVirtualTimeTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aTaskOfATestsOwnEventRunsInVirtualTime() {
    let (scheduler, taps) = (TestScheduler(), PublishSubject<Void>())
    let numbers = taps.flatMapLatest { _ in Observable.task { 1 } }.test(scheduler)
    scheduler.run { taps.onNext(()) }
    #expect(numbers.values == [1])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func whatAnAnswerInsideDoStartsRunsInVirtualTime() {
    let (scheduler, taps) = (TestScheduler(), PublishSubject<Void>())
    let replies = Locked<[Reply<Int>]>([])
    let screens = TestNavigator<Reply<Int>> { reply in replies.mutate { $0.append(reply) } }
    let answers = screens.navigator.request { $0 }.flatMapLatest { answer in Observable.task { answer + 1 } }.test(
      scheduler)
    let taking = taps.do(onNext: { replies.value.first?.send(1) }).subscribe()
    scheduler.run { taps.onNext(()) }
    #expect(answers.values == [2])
    withExtendedLifetime(taking) {}
  }

  @Test func runReturnsTheResultAndRunsOnlyWhatIsDue() throws {
    let (scheduler, times) = (TestScheduler(), Locked<[Duration]>([]))
    let result = scheduler.run {
      scheduler.schedule { times.mutate { $0.append(scheduler.now) } }
      _ = scheduler.schedule(after: .seconds(1)) { times.mutate { $0.append(scheduler.now) } }
      return times.value.count
    }
    #expect(result == 0 && times.value == [.zero] && scheduler.pendingCount == 1)
  }

  @Test func runRethrowsAndRunsNothingMore() {
    let scheduler = TestScheduler()
    #expect(throws: TestError.self) {
      try scheduler.run {
        scheduler.schedule {}
        throw TestError()
      }
    }
    #expect(scheduler.pendingCount == 1)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aTaskOutsideFailsItsTestOnce() {
    let issues = Locked<[String?]>([])
    withKnownIssue {
      let (scheduler, taps) = (TestScheduler(), PublishSubject<Void>())
      let numbers = taps.flatMapLatest { _ in Observable.task { 1 } }.test(scheduler)
      taps.onNext(())
      taps.onNext(())
      withExtendedLifetime(numbers) {}
    } matching: { issue in
      issues.mutate { $0.append(issue.comments.first?.rawValue) }
      return true
    }
    #expect(issues.value.count == 1)
    #expect(issues.value.first??.hasPrefix("a task was subscribed outside of the work of a TestScheduler") == true)
  }

  // The tasks of other tests, whose observers have never ended, may have had the address of a task of this one.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func anObserverOfAnotherTestIsNotThisOnes() async {
    let (kept, addresses) = (Locked<[TestObserver<Int>]>([]), Locked<Set<Int>>([]))
    for _ in 0..<100 {
      await Task.detached {
        addresses.mutate { $0.insert(taskAddress()) }
        kept.mutate { $0.append(Observable.never().test(TestScheduler())) }
      }.value
    }
    let found = Locked(0)
    for _ in 0..<100_000 where found.value == 0 {
      await Task {
        guard addresses.value.contains(taskAddress()) else { return }
        found.mutate { $0 += 1 }
        _ = Observable.task { 1 }.subscribe()
      }.value
    }
    #expect(found.value > 0)
    kept.mutate { $0 = [] }
  }

  #if os(macOS) || os(Linux)
    /// The output of the process on standard error.
    private func text(of result: ExitTest.Result?) -> String {
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    private static let sentence =
      "RxViewModelTesting: a task was subscribed outside of the work of a TestScheduler while a test observer of the scheduler listens."

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func aTaskOutsideIsReportedOnce() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let (scheduler, taps) = (TestScheduler(), PublishSubject<Void>())
        let numbers = taps.flatMapLatest { _ in Observable.task { 1 } }.test(scheduler)
        taps.onNext(())
        taps.onNext(())
        withExtendedLifetime(numbers) {}
      }
      #expect(text(of: result).components(of: Self.sentence) == 1, "\(text(of: result))")
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func aTaskInsideOrWithoutAListenerIsNotReported() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let (scheduler, taps) = (TestScheduler(), PublishSubject<Void>())
        let tasks = taps.flatMapLatest { _ in Observable.task { 1 } }
        let numbers = tasks.test(scheduler)
        scheduler.run { taps.onNext(()) }
        numbers.dispose()
        let real = tasks.test()
        taps.onNext(())
        withExtendedLifetime(real) {}
      }
      #expect(text(of: result).components(of: Self.sentence) == 0, "\(text(of: result))")
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func aStreamThatHasEndedDoesNotListen() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let scheduler = TestScheduler()
        let ended = Observable.just(1).test(scheduler)
        let task = Observable.task { 1 }.subscribe()
        withExtendedLifetime((ended, task)) {}
      }
      #expect(text(of: result).components(of: Self.sentence) == 0, "\(text(of: result))")
    }
  #endif
}

private func taskAddress() -> Int { withUnsafeCurrentTask { $0.hashValue } }

extension String {
  /// How often the text is contained.
  fileprivate func components(of text: String) -> Int {
    split(separator: "\n").count { $0.contains(text) }
  }
}
