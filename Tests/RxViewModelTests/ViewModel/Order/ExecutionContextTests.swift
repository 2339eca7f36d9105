import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.1, 2.2, 1.3: user code runs on the scheduler, one call at a time, and no other thread waits for it
struct ExecutionContextTests {
  /// Actions that together reach every callback point.
  private static let plans = [
    Plan(.parallel, "j"), Plan(.parallel, "[mmc]"), Plan(.ordered, "[me]"), Plan(.sequence, "[mx]"),
    Plan(.switchLatest, "[mt]"), Plan(.dropWhileBusy, "[m]"), Plan(.dropWhileBusy, "j"), Plan(.parallel, "j"),
  ]

  // Overrides, mappers, subscriptions to effects, predicates, and the callbacks of the streams.
  @Test func allUserCodeRunsOnTheScheduler() async {
    let (key, queue) = (DispatchSpecificKey<Bool>(), DispatchQueue(label: "given"))
    queue.setSpecific(key: key, value: true)
    let (seen, strays, done) = (Locked<Set<CallbackPoint>>([]), Locked<[CallbackPoint]>([]), Signal())
    let look: @Sendable (CallbackPoint, Int) -> Void = { point, _ in
      seen.mutate { _ = $0.insert(point) }
      if DispatchQueue.getSpecific(key: key) != true { strays.mutate { $0.append(point) } }
    }
    let bag = DisposeBag()
    let viewModel = ScriptedViewModel(Self.plans, scheduler: queue, reached: look)
    let isReplaying = Locked(true)
    for subscription in viewModel.note({ line in
      if !isReplaying.value, let (point, action) = line.point { look(point, action) }
      if case .completed(7, _) = line { done.fire() }
    }) {
      subscription.disposed(by: bag)
    }
    viewModel.isLoadingObservable(where: { _ in
      look(.loading, -1)
      return true
    }).subscribe { _ in }.disposed(by: bag)
    isReplaying.mutate { $0 = false }
    // The view model begins when all requests have been made.
    queue.suspend()
    for action in 0..<7 { viewModel.execute(action) }
    viewModel.cancelActions { $0 == 5 }
    viewModel.execute(7)
    queue.resume()
    #expect(await onThread { done.wait() })
    #expect(strays.value == [])
    #expect(seen.value.union([.dropped]) == Set(CallbackPoint.allCases))
    bag.dispose()
  }

  // Also if the scheduler is concurrent, and effects send from several threads.
  @Test(arguments: [SchedulerKind.ownQueue, .concurrentQueue, .immediate])
  func userCodeNeverOverlaps(kind: SchedulerKind) async {
    let (inside, overlaps) = (Locked<(thread: pthread_t, depth: Int)?>(nil), Locked(0))
    let look: @Sendable (CallbackPoint, Int) -> Void = { point, _ in
      // An effect that ends by itself is disposed on the thread that ends it.
      if point == .dispose { return }
      let thread = pthread_self()
      let isAlone = inside.mutate { inside -> Bool in
        defer { inside = (thread, (inside?.depth ?? 0) + 1) }
        return inside == nil || inside!.thread == thread
      }
      if !isAlone { overlaps.mutate { $0 += 1 } }
      sched_yield()
      inside.mutate { inside in
        inside!.depth -= 1
        if inside!.depth == 0 { inside = nil }
      }
    }
    let scripts: [EffectScript] = ["j", "mmmc", "[m]mmc", "me", "mt", "[mm]c"]
    let plans = (0..<120).map { Plan(Mode.Kind.allCases[$0 % 6], scripts[$0 / 6 % 6]) }
    let viewModel = ScriptedViewModel(plans, scheduler: kind.scheduler(), reached: look)
    let bag = DisposeBag()
    let lines = Locked(0)
    for subscription in viewModel.note({ line in
      lines.mutate { $0 += 1 }
      if let (point, action) = line.point { look(point, action) }
    }) {
      subscription.disposed(by: bag)
    }
    await race(threads: 3) { thread in
      for action in stride(from: thread, to: 120, by: 3) {
        viewModel.execute(action)
        for effect in viewModel.effects { effect.sendNext() }
        if action % 20 == 0 { viewModel.cancelActions { $0 % 7 == 0 } }
      }
    }
    await #expect(throws: Never.self) { try await viewModel.perform(0) }
    #expect(overlaps.value == 0)
    #expect(lines.value > 100)
    bag.dispose()
  }

  // `scheduler` is the one passed to `init`. After `clear` it is one that keeps nothing alive.
  @Test func theSchedulerIsTheOneThatTheViewModelWorksOn() async {
    let hand = HandScheduler()
    let viewModel = ScriptedViewModel([Plan(.parallel, "j")], scheduler: hand) { _, _ in }
    #expect(viewModel.scheduler as? HandScheduler === hand)
    viewModel.clear()
    hand.run()
    #expect(viewModel.scheduler is ImmediateScheduler)
    let own = ScriptedViewModel([Plan(.parallel, "j")], scheduler: nil) { _, _ in }
    #expect(own.scheduler is DispatchQueue)
  }

  // Inputs, reads of `currentState` and subscriptions on another thread return while user code of the view model runs.
  @Test(.ownThread, arguments: CallbackPoint.allCases, [SchedulerKind.ownQueue, .concurrentQueue, .hand])
  func inputsReturnWhileUserCodeRuns(point: CallbackPoint, kind: SchedulerKind) async {
    let isFree = Locked(false)
    let probe = CallbackProbe(point, on: kind, others: [Plan(.sequence, "j"), Plan(.sequence, "[m]")]) { probe in
      let viewModel = probe.viewModel
      let hasReturned = onOtherThread {
        viewModel.execute(2)
        viewModel.executeInSequence(2, 3)
        viewModel.cancelActions { $0 == 3 }
        viewModel.effects[0].sendNext()
        _ = viewModel.currentState
        let bag = DisposeBag()
        for subscription in viewModel.note({ _ in }) { subscription.disposed(by: bag) }
        viewModel.isLoadingObservable(where: { _ in true }).subscribe { _ in }.disposed(by: bag)
        Task { try await viewModel.perform(2) }.cancel()
        bag.dispose()
      }
      isFree.mutate { $0 = hasReturned }
    }
    #expect(await probe.run())
    #expect(await probe.settle())
    #expect(isFree.value)
    #expect(probe.journal.value.filter { $0 == .started(2) }.count >= 2)
    #expect(probe.journal.value.contains(.cancelled(3)))
  }
}
