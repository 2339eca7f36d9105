import RxViewModel
import Testing

@testable import TestSupport

// contract 2.9, 2.11: clear() at every point of an action's life, on every thread
@Suite(.ownThread) struct ClearTests {
  private static func plans(reaching point: CallbackPoint) -> [Plan] {
    let script = point.script(otherwise: "[mm]mc")
    return [
      Plan(.parallel, ""), Plan(.dropWhileBusy, "[m]"), Plan(.sequence, "[m]"),
      point == .dropped ? Plan(.dropWhileBusy, script) : Plan(.parallel, script), Plan(.sequence, "j"),
      Plan(.parallel, "j"),
    ]
  }

  /// Whether the line may still follow, because the view model is emitting the step to which it belongs.
  private static func isRest(_ line: LogEntry, of point: CallbackPoint) -> Bool {
    switch (point, line) {
    case (.mapper, _), (.executionMode, _), (.showSpinner, _), (.createObservable, _), (.subscribe, _),
      (.stateMapper, _):
      false
    case (.state, .made), (.state, .emitted), (.made, .emitted), (.loading, .started): true
    case (.dispose, .completed), (.handleError, .error), (.handleError, .failedWith), (.handleError, .failed): true
    case (.error, .failedWith), (.error, .failed), (.failedWith, .failed): true
    default: false
    }
  }

  @Test(arguments: CallbackPoint.allCases, SchedulerKind.allCases)
  func clearEndsEverythingAtAnyPoint(_ point: CallbackPoint, _ kind: SchedulerKind) async throws {
    for way in Release.allCases {
      let plans = Self.plans(reaching: point)
      let (scheduler, bag, held) = (kind.scheduler(), DisposeBag(), Locked<ScriptedViewModel?>(nil))
      let (journal, ended, isDue) = (Locked<[LogEntry]>([]), Signal(), Locked(true))
      let (mark, state, created, late) = (Locked(0), Locked<Tags>([]), Locked<[Int]>([]), Locked(false))
      let reached: @Sendable (CallbackPoint, Int) -> Void = { reached, action in
        if reached == .createObservable { created.mutate { $0.append(action) } }
        guard reached == point, action == 3 || action == -1, journal.value.count > 2, let viewModel = held.value else {
          return
        }
        if !isDue.exchange(for: false) { return }
        switch way {
        case .here: viewModel.clear()
        case .elsewhere: onOtherThread { viewModel.clear() }
        }
        mark.mutate { $0 = journal.value.count }
        state.mutate { $0 = viewModel.currentState }
        viewModel.execute(5)
      }
      let viewModel = ScriptedViewModel(plans, scheduler: scheduler, reached: reached)
      held.mutate { $0 = viewModel }
      for subscription in viewModel.note({ line in
        journal.mutate { $0.append(line) }
        if line == .end { ended.fire() }
        if let (point, action) = line.point { reached(point, action) }
      }) {
        subscription.disposed(by: bag)
      }
      viewModel.isLoadingObservable(where: { _ in
        if mark.value > 0 { late.mutate { $0 = true } }
        return true
      }).subscribe { _ in }.disposed(by: bag)
      for action in 0..<5 { viewModel.execute(action) }
      (scheduler as? HandScheduler)?.run()
      #expect(await onThread { (0..<6).allSatisfy { _ in ended.wait() } })
      held.mutate { $0 = nil }

      let after = Array(journal.value[mark.value...])
      #expect(Array(after.suffix(6)) == [LogEntry](repeating: .end, count: 6))
      let rest = after.dropLast(6).filter {
        $0 != .loading(false) && !(way == .elsewhere && Self.isRest($0, of: point))
      }
      #expect(rest == [], "\(way)")
      #expect(viewModel.currentState == state.value && !late.value)
      #expect(!created.value.contains(4) && !created.value.contains(5))
      if point == .executionMode || point == .showSpinner { #expect(!created.value.contains(3)) }
      for effect in viewModel.effects { #expect(!effect.subject.hasObservers) }
      bag.dispose()
    }
  }

  @Test func clearDuringACancellationReportsNoOther() {
    let (scheduler, bag) = (HandScheduler(), DisposeBag())
    let screen = Screen(scheduler: scheduler)
    for name in ["a", "b"] { screen.execute(Step(name) { .never() }) }
    scheduler.run()
    let journal = Journal(screen)
    screen.at("a cancelled", in: bag) { onOtherThread { screen.clear() } }
    screen.cancelActions { _ in true }
    scheduler.run()
    #expect(journal.news == ["a cancelled"] + [String](repeating: "end", count: 6))
    bag.dispose()
  }

  // An action that `clear` has ended no longer fails, and no stream reports it.
  @Test(arguments: [true, false])
  func clearDuringAMapperReportsNoError(isJust: Bool) {
    let scheduler = HandScheduler()
    let screen = Screen(scheduler: scheduler)
    let journal = Journal(screen)
    let mapper: StateMapper<[String]> = { _ in
      onOtherThread { screen.clear() }
      throw TestError("oops")
    }
    screen.execute(Step("a") { isJust ? .just(mapper) : .of(mapper) })
    scheduler.run()
    #expect(journal.news == ["a started"] + [String](repeating: "end", count: 6))
    #expect(screen.handled.value == [])
  }
}
