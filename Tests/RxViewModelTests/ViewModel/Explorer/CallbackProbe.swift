import Dispatch
import RxViewModel

@testable import TestSupport

/// The scheduler of a view model.
enum SchedulerKind: CaseIterable {
  case ownQueue, concurrentQueue, immediate, hand

  func scheduler() -> (any Scheduler)? {
    switch self {
    case .ownQueue: nil
    case .concurrentQueue: DispatchQueue.global()
    case .immediate: ImmediateScheduler()
    case .hand: HandScheduler()
    }
  }
}

extension CallbackPoint {
  /// An effect that makes its action reach this point, if another action occupies the lane of `dropWhileBusy`.
  func script(otherwise script: EffectScript) -> EffectScript {
    switch self {
    case .completed, .dispose: "[mc]"
    case .failed, .error, .failedWith, .stateMapper, .handleError: "[me]"
    case .cancelled: "[mx]"
    case .dropped: "j"
    default: script
    }
  }
}

/// Runs the test's code inside a given callback of a view model, when action 1 reaches it.
///
/// Action 0 occupies the default lane of `dropWhileBusy`, and sends mappers when the test asks for them. Action 1 reaches the callback.
/// The test chooses the actions from 2 on.
final class CallbackProbe: Sendable {
  let viewModel: ScriptedViewModel
  let point: CallbackPoint
  /// The events of all streams, recorded after the subscribers that run the test's code.
  let journal = Locked<[LogEntry]>([])
  private let scheduler: (any Scheduler)?
  private let bag = DisposeBag()
  private let isDue = Locked(false)
  private let happened = Signal()
  private let settled = Signal()
  private let marker: Int
  private let react: @Sendable (CallbackProbe) -> Void

  init(
    _ point: CallbackPoint, on kind: SchedulerKind, others: [Plan] = [],
    _ react: @escaping @Sendable (CallbackProbe) -> Void
  ) {
    self.point = point
    self.react = react
    scheduler = kind.scheduler()
    let script = point.script(otherwise: "[m]mc")
    let plans = [
      Plan(.dropWhileBusy, "mmmm", spins: false), Plan(point == .dropped ? .dropWhileBusy : .parallel, script),
    ]
    marker = plans.count + others.count
    let all = plans + others + [Plan(.parallel, "j", spins: false)]
    let box = Locked<Weak<CallbackProbe>?>(nil)
    viewModel = ScriptedViewModel(all, scheduler: scheduler) { point, action in
      box.value?.object?.reached(point, action)
    }
    box.mutate { $0 = Weak(object: self) }
    let reacting = viewModel.note { line in
      if let (point, action) = line.point { box.value?.object?.reached(point, action) }
    }
    let noting = viewModel.note { [journal, settled, marker] line in
      journal.mutate { $0.append(line) }
      if case .completed(marker, _) = line { settled.fire() }
    }
    for subscription in reacting + noting { subscription.disposed(by: bag) }
  }

  /// Lets action 1 reach the callback. False if it does not within the bound.
  func run() async -> Bool {
    viewModel.execute(0)
    turn()
    isDue.mutate { $0 = true }
    viewModel.execute(1)
    turn()
    return await onThread { [happened] in happened.wait() }
  }

  /// Returns when the view model has begun all actions executed so far, and has folded all mappers sent so far. False after the bound.
  func settle() async -> Bool {
    viewModel.execute(marker)
    turn()
    return await onThread { [settled] in settled.wait() }
  }

  private func turn() {
    (scheduler as? HandScheduler)?.run()
  }

  private func reached(_ point: CallbackPoint, _ action: Int) {
    guard point == self.point, action == 1 || action == -1 else { return }
    if !isDue.exchange(for: false) { return }
    react(self)
    happened.fire()
  }
}
