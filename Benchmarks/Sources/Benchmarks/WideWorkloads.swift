import Dispatch
import OpenCombine
import OpenCombineDispatch
import RxViewModel

let queueAsync = "queue.async"

/// Wide elements through a subject.
func wideSubjects() -> [Workload] {
  [1, 10].flatMap { subscribers -> [Workload] in
    [
      Workload(
        name: "subject, wide state, \(subscribers) subscriber\(subscribers == 1 ? "" : "s")",
        count: 1_000_000 / subscribers, expected: { $0 * subscribers }, goal: subscribers == 1 ? 2 : 1.5,
        allocations: 0,
        contenders: [
          Contender(name: Workload.limit) { count in
            let (subject, sum, state) = (HandValueSubject<WideState>(keepsValue: false), Sum(), WideState(number: 1))
            for _ in 0..<subscribers { subject.subscribe { sum.value += $0.number } }
            for _ in 0..<count { subject.send(state) }
            return sum.value
          },
          Contender(name: Workload.ours) { count in
            let (subject, sum, state) = (PublishSubject<WideState>(), Sum(), WideState(number: 1))
            for _ in 0..<subscribers { _ = subject.subscribe(onNext: { sum.value += $0.number }) }
            for _ in 0..<count { subject.onNext(state) }
            return sum.value
          },
          Contender(name: peer) { count in
            let (subject, sum, state) = (PassthroughSubject<WideState, Never>(), Sum(), WideState(number: 1))
            let cancellables = (0..<subscribers).map { _ in subject.sink { sum.value += $0.number } }
            for _ in 0..<count { subject.send(state) }
            withExtendedLifetime(cancellables) {}
            return sum.value
          },
        ]),
      Workload(
        name: "behavior subject, wide state, \(subscribers) subscriber\(subscribers == 1 ? "" : "s")",
        count: 1_000_000 / subscribers, expected: { $0 * subscribers }, goal: subscribers == 1 ? 2 : 1.5,
        allocations: 0,
        contenders: [
          Contender(name: Workload.limit) { count in
            let (subject, sum, state) = (HandValueSubject<WideState>(keepsValue: true), Sum(), WideState(number: 1))
            for _ in 0..<subscribers { subject.subscribe { sum.value += $0.number } }
            for _ in 0..<count { subject.send(state) }
            return sum.value
          },
          Contender(name: Workload.ours) { count in
            let (subject, sum, state) = (BehaviorSubject(value: WideState()), Sum(), WideState(number: 1))
            for _ in 0..<subscribers { _ = subject.subscribe(onNext: { sum.value += $0.number }) }
            for _ in 0..<count { subject.onNext(state) }
            return sum.value
          },
          Contender(name: peer) { count in
            let (subject, sum) = (CurrentValueSubject<WideState, Never>(WideState()), Sum())
            let state = WideState(number: 1)
            let cancellables = (0..<subscribers).map { _ in subject.sink { sum.value += $0.number } }
            for _ in 0..<count { subject.send(state) }
            withExtendedLifetime(cancellables) {}
            return sum.value
          },
        ]),
    ]
  }
}

/// Counts in a wide state.
final class WideCounter: RxViewModel<Int, WideState>, @unchecked Sendable {  // Sendable: it stores nothing.
  override func createInitialState() -> WideState { WideState() }
  override func createObservable(_ action: Int) -> Effect {
    .mutate { $0.number += action }
  }
}

/// Takes a name from each action.
final class FormViewModel: RxViewModel<FormAction, FormState>, @unchecked Sendable {  // Sendable: it stores nothing.
  override func createInitialState() -> FormState { FormState() }
  override func createObservable(_ action: FormAction) -> Effect {
    .mutate {
      $0.name = action.name
      $0.number += 1
    }
  }
}

/// The same with OpenCombine: a subject, a hop onto a queue, a scan.
// Sendable: `cancellable` is set in init only.
final class CombineViewModel<Action: Sendable, State: Sendable>: @unchecked Sendable {
  private let actions = PassthroughSubject<Action, Never>()
  private let state: CurrentValueSubject<State, Never>
  private var cancellable: AnyCancellable?

  init(_ initial: State, _ change: @escaping @Sendable (inout State, Action) -> Void) {
    state = CurrentValueSubject(initial)
    cancellable = actions.receive(on: DispatchQueue(label: "peer").ocombine)
      .flatMap { action in
        Just { (state: State) in
          var state = state
          change(&state, action)
          return state
        }
      }
      .scan(initial) { state, mapper in mapper(state) }
      .sink { [state] in state.send($0) }
  }

  func execute(_ action: Action) { actions.send(action) }
  func subscribe(_ observer: @escaping (State) -> Void) -> AnyCancellable { state.sink(receiveValue: observer) }
}

func wideViewModels() -> [Workload] {
  [1, 10].map { subscribers in
    Workload(
      name: "view model: wide state, \(subscribers) subscriber\(subscribers == 1 ? "" : "s")", count: 300_000,
      expected: { $0 }, goal: subscribers == 1 ? 1.3 : 1.5,
      contenders: [
        Contender(name: Workload.limit) { count in
          let viewModel = HandMailbox<Int, WideState>(WideState()) { action in { $0.number += action } }
          let last = Awaited(count)
          for _ in 0..<subscribers { viewModel.subscribe { last.see($0.number) } }
          for _ in 0..<count { viewModel.execute(1) }
          return last.wait()
        },
        Contender(name: Workload.ours) { count in
          let (viewModel, last, bag) = (WideCounter(), Awaited(count), DisposeBag())
          for _ in 0..<subscribers {
            viewModel.stateObservable.subscribe(onNext: { last.see($0.number) }).disposed(by: bag)
          }
          for _ in 0..<count { viewModel.execute(1) }
          defer { bag.dispose() }
          return last.wait()
        },
        Contender(name: queueAsync) { count in
          let viewModel = HandQueueViewModel<Int, WideState>(WideState()) { $0.number += $1 }
          let last = Awaited(count)
          for _ in 0..<subscribers { viewModel.subscribe { last.see($0.number) } }
          for _ in 0..<count { viewModel.execute(1) }
          return last.wait()
        },
        Contender(name: peer) { count in
          let (viewModel, last) = (CombineViewModel<Int, WideState>(WideState()) { $0.number += $1 }, Awaited(count))
          let cancellables = (0..<subscribers).map { _ in viewModel.subscribe { last.see($0.number) } }
          for _ in 0..<count { viewModel.execute(1) }
          defer { withExtendedLifetime(cancellables) {} }
          return last.wait()
        },
      ])
  } + [
    Workload(
      name: "view model: a number, against a mailbox", count: 1_000_000, expected: { $0 }, goal: 1.2,
      contenders: [
        Contender(name: Workload.limit) { count in
          let (viewModel, last) = (HandMailbox<Int, Int>(0) { action in { $0 += action } }, Awaited(count))
          viewModel.subscribe { last.see($0) }
          for _ in 0..<count { viewModel.execute(1) }
          return last.wait()
        },
        Contender(name: Workload.ours) { count in
          let (viewModel, last) = (Counter(), Awaited(count))
          let subscription = viewModel.stateObservable.subscribe(onNext: { last.see($0) })
          for _ in 0..<count { viewModel.execute(1) }
          defer { subscription.dispose() }
          return last.wait()
        },
      ]),
    Workload(
      name: "view model: two strings and a number, actions with a string", count: 500_000, expected: { $0 }, goal: 1.2,
      contenders: [
        Contender(name: Workload.limit) { count in
          let viewModel = HandMailbox<FormAction, FormState>(FormState()) { action in
            {
              $0.name = action.name
              $0.number += 1
            }
          }
          let (last, action) = (Awaited(count), FormAction(name: fresh("a")))
          viewModel.subscribe { last.see($0.number) }
          for _ in 0..<count { viewModel.execute(action) }
          return last.wait()
        },
        Contender(name: Workload.ours) { count in
          let (viewModel, last, action) = (FormViewModel(), Awaited(count), FormAction(name: fresh("a")))
          let subscription = viewModel.stateObservable.subscribe(onNext: { last.see($0.number) })
          for _ in 0..<count { viewModel.execute(action) }
          defer { subscription.dispose() }
          return last.wait()
        },
        Contender(name: queueAsync) { count in
          let viewModel = HandQueueViewModel<FormAction, FormState>(FormState()) {
            $0.name = $1.name
            $0.number += 1
          }
          let (last, action) = (Awaited(count), FormAction(name: fresh("a")))
          viewModel.subscribe { last.see($0.number) }
          for _ in 0..<count { viewModel.execute(action) }
          return last.wait()
        },
        Contender(name: peer) { count in
          let viewModel = CombineViewModel<FormAction, FormState>(FormState()) {
            $0.name = $1.name
            $0.number += 1
          }
          let (last, action) = (Awaited(count), FormAction(name: fresh("a")))
          let cancellable = viewModel.subscribe { last.see($0.number) }
          for _ in 0..<count { viewModel.execute(action) }
          defer { withExtendedLifetime(cancellable) {} }
          return last.wait()
        },
      ]),
  ]
}

/// The same actions in each mode; the limit is `parallel`.
func modes() -> [Workload] {
  let modes: [(String, @Sendable (Int) -> ExecutionMode)] = [
    ("sequence, one lane", { _ in .sequence }),
    ("sequence, a lane each", { .sequence("\($0 & 1_023)") }),
    ("parallelOrdered", { _ in .parallelOrdered }),
    ("switchLatest", { _ in .switchLatest }),
  ]
  return modes.map { name, mode in
    Workload(
      name: "view model: \(name), against parallel", count: 300_000, expected: { $0 }, goal: 1.3,
      contenders: [
        Contender(name: Workload.limit) { inMode(count: $0) { _ in .parallel } },
        Contender(name: Workload.ours) { inMode(count: $0, mode) },
      ])
  }
}

private func inMode(count: Int, _ mode: @Sendable (Int) -> ExecutionMode) -> Int {
  let viewModel = Counter()
  let finished = DispatchSemaphore(value: 0)
  for number in 0..<count { viewModel.execute(1, mode: mode(number)) }
  // The view model begins this action last: it has begun all ordered actions, and those in lanes, before.
  let subscription = viewModel.stateObservable.subscribe(onNext: { if $0 < 0 { finished.signal() } })
  viewModel.execute(-1_000_000_000)
  finished.wait()
  subscription.dispose()
  return count
}
