import Dispatch
import OpenCombine
import OpenCombineDispatch
import RxViewModel
import RxViewModelRecording

final class Counter: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores nothing.
  override func createInitialState() -> Int { 0 }
  override func createObservable(_ action: Int) -> Effect { .mutate { $0 += action } }
}

/// A state that is large, and of which an action changes one number.
struct Cells: Codable, Sendable {
  var sum = 0
  var cells = Array(0..<100_000)
}

final class CellCounter: RxViewModel<Int, Cells>, @unchecked Sendable {  // Sendable: it stores nothing.
  override func createInitialState() -> Cells { Cells() }
  override func createObservable(_ action: Int) -> Effect { .mutate { $0.sum += action } }
}

/// The same with OpenCombine: a subject, a hop onto a queue, a scan.
final class CombineCounter: @unchecked Sendable {  // Sendable: `cancellable` is set in init only.
  private let actions = PassthroughSubject<Int, Never>()
  private let state = CurrentValueSubject<Int, Never>(0)
  private var cancellable: AnyCancellable?

  init() {
    cancellable = actions.receive(on: DispatchQueue(label: "peer").ocombine)
      .flatMap { action in Just { (state: Int) in state + action } }
      .scan(0) { state, mapper in mapper(state) }
      .sink { [state] in state.send($0) }
  }

  func execute(_ action: Int) { actions.send(action) }
  func subscribe(_ observer: @escaping (Int) -> Void) -> AnyCancellable { state.sink(receiveValue: observer) }
}

/// Wakes the waiting thread when it sees a number.
final class Awaited: @unchecked Sendable {  // Sendable: its properties are `let`s.
  private let semaphore = DispatchSemaphore(value: 0)
  private let number: Int

  init(_ number: Int) { self.number = number }

  func see(_ value: Int) { if value == number { semaphore.signal() } }
  func wait() -> Int {
    semaphore.wait()
    return number
  }
}

func viewModels() -> [Workload] {
  [
    Workload(
      name: "view model: actions → states", count: 1_000_000, expected: { $0 }, goal: 0.5,
      contenders: [
        Contender(name: Workload.limit) { count in
          let (viewModel, last) = (HandViewModel(), Awaited(count))
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
        Contender(name: peer) { count in
          let (viewModel, last) = (CombineCounter(), Awaited(count))
          let cancellable = viewModel.subscribe { last.see($0) }
          for _ in 0..<count { viewModel.execute(1) }
          defer { cancellable.cancel() }
          return last.wait()
        },
      ]),
    Workload(
      name: "view model: latency with a parked worker", count: 5_000, expected: { $0 }, goal: 1.15,
      contenders: [
        Contender(name: Workload.limit) { count in
          let (viewModel, turn) = (HandViewModel(), DispatchSemaphore(value: 0))
          viewModel.subscribe { _ in turn.signal() }
          turn.wait()
          for _ in 0..<count {
            viewModel.execute(1)
            turn.wait()
          }
          return count
        },
        Contender(name: Workload.ours) { count in
          let (viewModel, turn) = (Counter(), DispatchSemaphore(value: 0))
          let subscription = viewModel.stateObservable.subscribe(onNext: { _ in turn.signal() })
          turn.wait()
          for _ in 0..<count {
            viewModel.execute(1)
            turn.wait()
          }
          subscription.dispose()
          return viewModel.currentState
        },
        Contender(name: peer) { count in
          let (viewModel, turn) = (CombineCounter(), DispatchSemaphore(value: 0))
          let cancellable = viewModel.subscribe { _ in turn.signal() }
          turn.wait()
          for _ in 0..<count {
            viewModel.execute(1)
            turn.wait()
          }
          cancellable.cancel()
          return count
        },
      ]),
    Workload(
      name: "view model: create, subscribe, one action, release", count: 5_000, expected: { $0 }, goal: 1.5,
      allocations: 30,
      contenders: [
        Contender(name: Workload.limit) { count in
          var sum = 0
          for _ in 0..<count {
            let (viewModel, last) = (HandViewModel(), Awaited(1))
            viewModel.subscribe { last.see($0) }
            viewModel.execute(1)
            sum += last.wait()
          }
          return sum
        },
        Contender(name: Workload.ours) { count in
          var sum = 0
          for _ in 0..<count {
            let (viewModel, last) = (Counter(), Awaited(1))
            let subscription = viewModel.stateObservable.subscribe(onNext: { last.see($0) })
            viewModel.execute(1)
            sum += last.wait()
            subscription.dispose()
          }
          return sum
        },
        Contender(name: peer) { count in
          var sum = 0
          for _ in 0..<count {
            let (viewModel, last) = (CombineCounter(), Awaited(1))
            let cancellable = viewModel.subscribe { last.see($0) }
            viewModel.execute(1)
            sum += last.wait()
            cancellable.cancel()
          }
          return sum
        },
      ]),
    // The limit is the same view model without a recorder.
    Workload(
      name: "view model: an action with a recorder, against without", count: 20_000, expected: { $0 }, goal: nil,
      contenders: [
        Contender(name: Workload.limit) { execute($0, in: Counter(scheduler: ImmediateScheduler())) },
        Contender(name: Workload.ours) { count in
          recorded { recorder in
            execute(count, in: recorder.record("model") { Counter(scheduler: ImmediateScheduler()) })
          }
        },
      ]),
    Workload(
      name: "view model: a wide state with a recorder, against without", count: 20_000, expected: { $0 }, goal: nil,
      contenders: [
        Contender(name: Workload.limit) { execute($0, in: WideCounter(scheduler: ImmediateScheduler())) },
        Contender(name: Workload.ours) { count in
          recorded { recorder in
            execute(count, in: recorder.record("model") { WideCounter(scheduler: ImmediateScheduler()) })
          }
        },
      ]),
    Workload(
      name: "view model: an action beside 100,000 cells with a recorder, against without", count: 20_000,
      expected: { $0 }, goal: nil,
      contenders: [
        Contender(name: Workload.limit) { execute($0, in: CellCounter(scheduler: ImmediateScheduler())) },
        Contender(name: Workload.ours) { count in
          recorded { recorder in
            execute(count, in: recorder.record("model") { CellCounter(scheduler: ImmediateScheduler()) })
          }
        },
      ]),
  ]
    + [("sequence", ExecutionMode.sequence), ("parallelOrdered", .parallelOrdered)].flatMap { name, mode in
      [50_000, 200_000].map { count in
        // There is no limit to compare with: both sizes should cost the same per action.
        Workload(
          name: "view model: \(count / 1_000),000 waiting in \(name)", count: count, expected: { $0 }, goal: nil,
          contenders: [
            Contender(name: Workload.ours) { count in
              let (viewModel, gate, last) = (Gated(), PublishSubject<Int>(), Awaited(count))
              viewModel.gate = gate
              let subscription = viewModel.stateObservable.subscribe(onNext: { last.see($0) })
              for _ in 0..<count { viewModel.execute(1, mode: mode) }
              viewModel.execute(0)
              viewModel.first.wait()
              gate.onCompleted()
              defer { subscription.dispose() }
              return last.wait()
            }
          ])
      }
    }
}

/// A recorder whose last reference has gone records nothing.
private func recorded(_ body: (RxViewModelRecording.Recorder) -> Int) -> Int {
  let recorder = RxViewModelRecording.Recorder()
  return withExtendedLifetime(recorder) { body(recorder) }
}

private func execute(_ count: Int, in viewModel: WideCounter) -> Int {
  for _ in 0..<count { viewModel.execute(1) }
  return viewModel.currentState.number
}

private func execute(_ count: Int, in viewModel: CellCounter) -> Int {
  for _ in 0..<count { viewModel.execute(1) }
  return viewModel.currentState.sum
}

private func execute(_ count: Int, in viewModel: Counter) -> Int {
  for _ in 0..<count { viewModel.execute(1) }
  return viewModel.currentState
}

/// Its first action ends when the gate does; the others wait for it.
// Sendable: `gate` is set before the first action, and only the driver uses `isOpen`.
final class Gated: RxViewModel<Int, Int>, @unchecked Sendable {
  var gate: PublishSubject<Int>?
  let first = DispatchSemaphore(value: 0)
  private var isOpen = false

  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: Int) -> Effect {
    if action == 0 {
      first.signal()
      return .empty()
    }
    if isOpen { return .mutate { $0 += 1 } }
    isOpen = true
    return gate!.mutate { _, _ in }.concat(Observable.mutate { $0 += 1 })
  }
}

/// The bytes in use per action, with `count` actions that wait for their turn.
func bytesPerQueuedAction(_ count: Int, inUse: () -> Int) -> (limit: Double, ours: Double) {
  func measured(_ body: () -> Void) -> Double {
    let before = inUse()
    body()
    return Double(inUse() - before) / Double(count)
  }
  let hand = HandViewModel()
  hand.suspend()
  let limit = measured { for _ in 0..<count { hand.execute(1) } }
  hand.finish()
  let queue = DispatchQueue(label: "suspended")
  queue.suspend()
  let viewModel = Counter(scheduler: queue)
  let ours = measured { for _ in 0..<count { viewModel.execute(1) } }
  queue.resume()
  queue.sync {}
  return (limit, ours)
}
