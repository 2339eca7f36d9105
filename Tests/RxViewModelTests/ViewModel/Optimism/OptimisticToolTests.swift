import RxViewModel
import RxViewModelRecording
import Testing

@testable import RxViewModelTesting
@testable import TestSupport

// Contract 2.20, with the tools that see states.
@Suite(.asyncEffects) struct OptimisticToolTests {
  // Taking back is a change of the state like others (contract 4.2).
  @Test func aStoreAssertsWhatIsShown() throws {
    let (scheduler, answer) = (TestScheduler(), PublishSubject<Int>())
    let viewModel = ClosureViewModel<Int, [Int]>([], scheduler: scheduler) { _, _ in
      answer.mutate { $0.append($1) }
    } overrides: {
      $0.update = { _, action in .change { $0.append(action) } }
    }
    let store = try TestStore(viewModel)
    try store.send(1) { $0 = [1] }
    answer.onNext(2)
    try store.advance { $0 = [1, 2] }
    answer.onError(Offline())
    try store.advance { $0 = [2] }
    try store.expect(.failed(Offline()), of: 1)
    try store.finish()
  }

  private static func make(_ recorder: SessionRecorder, _ scheduler: any Scheduler, _ clock: TestScheduler)
    -> ClosureViewModel<Int, [Int]>
  {
    recorder.record("likes") {
      ClosureViewModel([], scheduler: scheduler) { _, action in
        Observable.task {
          try await recorder.answer("\(action)") { () async throws -> [Int] in
            try await clock.clock.sleep(for: .seconds(10 - action))
            if action == 2 { throw Offline() }
            return [action * 10]
          }
        }.mutate { if action == 0 { $0 = $1 } else { $0 += $1 } }
      } overrides: {
        $0.update = { _, action in action == 0 ? .snapshot : .change { $0.append(action) } }
      }
    }
  }

  // The changes are made again (contract 9.5).
  @Test func aRecordingReplays() throws {
    let (recorder, scheduler) = (SessionRecorder(), TestScheduler())
    let viewModel = Self.make(recorder, scheduler, scheduler)
    let states = Locked<[[Int]]>([])
    let subscription = viewModel.stateObservable.subscribe(onNext: { states.append($0) })
    for action in 0...3 { viewModel.execute(action) }
    scheduler.run()
    #expect(states.value.contains([1, 2, 3]) && viewModel.currentState == [0, 1, 3, 30, 10])
    let replayed = Locked<[[Int]]>([])
    try replay(recorder.recording) { run in
      let again = Self.make(run.recorder, run.scheduler, scheduler)
      let subscription = again.stateObservable.subscribe(onNext: { replayed.append($0) })
      try run.play()
      subscription.dispose()
    }
    #expect(replayed.value == states.value)
    subscription.dispose()
  }
}
