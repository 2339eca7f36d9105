import Foundation
import RxViewModel

@testable import TestSupport

struct StateChange: Sendable {
  let number: Int
  let session: Lifetimes.Object
  /// Whether the next state takes the session from the state before it.
  var keepsSession = false
}

/// A view model whose actions set its state.
// Sendable: it stores one `let`.
final class StateViewModel<State: StateValue>: RxViewModel<StateChange, State>, @unchecked Sendable {
  private let first: Lifetimes.Object

  // Sendable: all stored properties are `let`s.
  init(first: Lifetimes.Object = Lifetimes().make(), scheduler: (any Scheduler)? = nil) {
    self.first = first
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> State { State(0, first) }

  override func createObservable(_ change: StateChange) -> Effect {
    .just { state in
      // A state that has lost its session gets another one, so that the comparison fails.
      State(change.number, change.keepsSession ? state.session ?? Lifetimes().make() : change.session)
    }
  }
}

/// Sends, replays, stores and folds values of one type.
enum ValueChecks<Value: StateValue> {
  /// The first values that differ from the values that were sent.
  private final class Faults: Sendable {
    private let faults = Locked<[String]>([])

    var list: [String] { faults.value }

    func expect(_ value: Value?, _ number: Int, _ session: Lifetimes.Object, _ place: String) {
      if value?.isRight(number, session) == true { return }
      let text = value.map {
        "number \($0.number), session \($0.session == nil ? "lost" : "kept"), whole \($0.isWhole)"
      }
      faults.mutate { if $0.count < 10 { $0.append("\(place) \(number): \(text ?? "nothing")") } }
    }

    func expect(_ isRight: Bool, _ text: String) {
      if !isRight { faults.mutate { if $0.count < 10 { $0.append(text) } } }
    }
  }

  static func stream(_ way: AnyStateTests.Way) -> [String] {
    let (session, source, faults, bag) = (Lifetimes().make(), PublishSubject<Value>(), Faults(), DisposeBag())
    let counts = Locked([0, 0])
    let stream = source.asObservable().going(way)
    for subscriber in 0...1 {
      stream.subscribe(onNext: { value in
        let number = counts.mutate { counts in
          counts[subscriber] += 1
          return counts[subscriber]
        }
        faults.expect(value, number, session, "subscriber \(subscriber)")
      }).disposed(by: bag)
    }
    for number in 1...5 {
      let value = Value(number, session)
      source.onNext(value)
      faults.expect(value, number, session, "sender")
    }
    faults.expect(counts.value == [5, 5], "received \(counts.value)")
    return faults.list
  }

  static func replay() -> [String] {
    let (session, faults) = (Lifetimes().make(), Faults())
    let (behavior, replay) = (BehaviorSubject(value: Value(0, session)), ReplaySubject<Value>(bufferSize: 3))
    let shared = replay.share(replay: 2)
    let bag = DisposeBag()
    behavior.subscribe { _ in }.disposed(by: bag)
    shared.subscribe { _ in }.disposed(by: bag)
    for number in 1...5 {
      behavior.onNext(Value(number, session))
      replay.onNext(Value(number, session))
      for _ in 0...1 {
        faults.expect(behavior.value, number, session, "value")
        expectReplay(of: behavior.asObservable(), [number], "behavior")
        expectReplay(of: replay.asObservable(), Array(max(1, number - 2)...number), "replay")
        expectReplay(of: shared, Array(max(1, number - 1)...number), "share")
      }
    }
    replay.onCompleted()
    expectReplay(of: replay.asObservable(), [3, 4, 5], "replay after the end")
    return faults.list

    func expectReplay(of stream: Observable<Value>, _ numbers: [Int], _ place: String) {
      let count = Locked(0)
      stream.subscribe(onNext: { value in
        let index = count.mutate { count in
          count += 1
          return count - 1
        }
        if index < numbers.count { faults.expect(value, numbers[index], session, place) }
      }).dispose()
      faults.expect(count.value == numbers.count, "\(place) replayed \(count.value) of \(numbers)")
    }
  }

  static func property() -> [String] {
    let (session, faults, last) = (Lifetimes().make(), Faults(), Locked(0))
    let property = MutableProperty(Value(0, session))
    let subscription = property.asObservable().subscribe(onNext: { value in
      faults.expect(value, last.value, session, "subscriber")
    })
    for number in 1...5 {
      last.mutate { $0 = number }
      property.value = Value(number, session)
      faults.expect(property.value, number, session, "value")
    }
    subscription.dispose()
    return faults.list
  }

  static func viewModel() -> [String] {
    let (session, faults, bag) = (Lifetimes().make(), Faults(), DisposeBag())
    let (current, states, folds) = (Locked(0), Locked(0), Locked(0))
    let viewModel = StateViewModel<Value>(first: session, scheduler: ImmediateScheduler())
    viewModel.stateObservable.subscribe(onNext: { [weak viewModel] state in
      states.mutate { $0 += 1 }
      faults.expect(state, current.value, session, "state")
      if current.value > 0 { faults.expect(viewModel?.currentState, current.value, session, "current inside") }
    }).disposed(by: bag)
    viewModel.actionAndStateObservable.subscribe(onNext: { event in
      folds.mutate { $0 += 1 }
      faults.expect(event.state, event.action.number, session, "action and state")
    }).disposed(by: bag)
    faults.expect(viewModel.currentState, 0, session, "initial")
    for number in 1...5 {
      current.mutate { $0 = number }
      viewModel.execute(.init(number: number, session: session, keepsSession: true))
      for _ in 0...1 { faults.expect(viewModel.currentState, number, session, "current") }
    }
    faults.expect(states.value == 6 && folds.value == 5, "\(states.value) states, \(folds.value) folds")
    viewModel.clear()
    faults.expect(viewModel.currentState, 5, session, "current after clear")
    return faults.list
  }

  static func useAndRelease(_ lifetimes: Lifetimes) {
    let session = lifetimes.make()
    let viewModel = StateViewModel<Value>(first: session, scheduler: ImmediateScheduler())
    let (behavior, replay) = (BehaviorSubject(value: Value(0, session)), ReplaySubject<Value>(bufferSize: 3))
    let property = MutableProperty(Value(0, session))
    let bag = DisposeBag()
    for stream in [
      viewModel.stateObservable, behavior.asObservable(), replay.share(replay: 2), property.asObservable(),
    ] {
      stream.subscribe { _ in }.disposed(by: bag)
    }
    for number in 1...10 {
      let session = lifetimes.make()
      viewModel.execute(.init(number: number, session: session))
      behavior.onNext(Value(number, session))
      replay.onNext(Value(number, session))
      property.value = Value(number, session)
    }
  }

  /// One thread folds, and the others read.
  static func readers(folds: Int, threads: Int) async -> [String] {
    let (session, faults, isOver) = (Lifetimes().make(), Faults(), Locked(false))
    let viewModel = StateViewModel<Value>(first: session)
    let subscription = viewModel.stateObservable.subscribe(onNext: { state in
      faults.expect(state, state.number, session, "subscriber")
    })
    await race(threads: threads + 1) { thread in
      if thread == 0 {
        for number in 1...folds { viewModel.execute(.init(number: number, session: session, keepsSession: true)) }
        faults.expect(
          waitUntil { viewModel.currentState.number >= folds || faults.list != [] }, "the last state has not come")
        return isOver.mutate { $0 = true }
      }
      var last = 0
      while !isOver.value {
        let state = viewModel.currentState
        faults.expect(state, state.number, session, "reader")
        faults.expect(state.number >= last, "a reader saw \(state.number) after \(last)")
        last = state.number
      }
    }
    subscription.dispose()
    return faults.list
  }
}

extension Observable {
  /// Sends the same elements, through a subject or through operators.
  func going(_ way: AnyStateTests.Way) -> Observable<Element> {
    switch way {
    case .publish: return self
    case .behavior, .replay:
      return .create { observer in
        let isReplay = way == .replay
        let (replay, behavior) = (ReplaySubject<Element>(bufferSize: 2), Locked<BehaviorSubject<Element>?>(nil))
        let subscriptions = DisposeBag()
        if isReplay { replay.subscribe(observer).disposed(by: subscriptions) }
        self.subscribe(onNext: { element in
          if isReplay { return replay.onNext(element) }
          if let behavior = behavior.value { return behavior.onNext(element) }
          let subject = BehaviorSubject(value: element)
          behavior.mutate { $0 = subject }
          subject.subscribe(observer).disposed(by: subscriptions)
        }).disposed(by: subscriptions)
        return subscriptions
      }
    case .share: return share()
    case .shareReplay: return share(replay: 2)
    case .create: return .create { self.subscribe($0) }
    case .merge: return merge(with: Observable.never())
    case .combineLatest: return .combineLatest(self, Observable<Int>.just(0)) { element, _ in element }
    case .flatMapLatest: return flatMapLatest { Observable.of($0).delay(.zero, scheduler: ImmediateScheduler()) }
    case .chain:
      return map { $0 }.filter { _ in true }.do(onNext: { _ in }).scan(Element?.none) { $1 }.compactMap { $0 }
    case .arrays: return concatMap { Observable.from([$0]).toArray() }.map { $0[0] }.materialize().elements()
    case .observeOn: return observe(on: ImmediateScheduler())
    }
  }
}
