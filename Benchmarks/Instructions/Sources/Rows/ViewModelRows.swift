import Row
import RxViewModel
import RxViewModelRecording

/// Executes `action` again and again, with a turn for each batch.
private func act<Action, State: Counted>(
  _ viewModel: RxViewModel<Action, State>, _ hand: Hand, _ action: Action, _ count: Int, mode: ExecutionMode? = nil,
  batch: Int = 1, subscribers: Int = 1
) {
  let (sum, bag) = (Sum(), DisposeBag())
  for _ in 0..<subscribers {
    viewModel.stateObservable.subscribe(onNext: { sum.value &+= $0.number }).disposed(by: bag)
  }
  hand.run()
  for _ in 0..<count / batch {
    for _ in 0..<batch {
      if let mode { viewModel.execute(action, mode: mode) } else { viewModel.execute(action) }
    }
    hand.run()
  }
  bag.dispose()
  viewModel.clear()
  hand.run()
}

private func number(
  _ name: String, _ action: Act, mode: ExecutionMode? = nil, batch: Int = 1, subscribers: Int = 1
) -> Row {
  Row(name: "number, \(name)") { count in
    let hand = Hand()
    act(Numbers(scheduler: hand), hand, action, count, mode: mode, batch: batch, subscribers: subscribers)
  }
}

private func wide(
  _ name: String, _ action: Act, mode: ExecutionMode? = nil, batch: Int = 1, subscribers: Int = 1
) -> Row {
  Row(name: "wide, \(name)") { count in
    let hand = Hand()
    act(Wides(scheduler: hand), hand, action, count, mode: mode, batch: batch, subscribers: subscribers)
  }
}

private func sheet(_ name: String, _ action: SheetAction) -> Row {
  Row(name: "sheet, \(name)") { count in
    let hand = Hand()
    act(Sheets(scheduler: hand), hand, action, count, subscribers: 0)
  }
}

/// The same with phases, actions and loading observed.
private func observed<State: Counted>(_ viewModel: RxViewModel<Act, State>, _ hand: Hand, _ count: Int) {
  let (sum, bag) = (Sum(), DisposeBag())
  viewModel.executionObservable.subscribe(onNext: { _ in sum.value += 1 }).disposed(by: bag)
  viewModel.actionAndStateObservable.subscribe(onNext: { _ in sum.value += 1 }).disposed(by: bag)
  viewModel.isLoadingObservable.subscribe(onNext: { _ in sum.value += 1 }).disposed(by: bag)
  act(viewModel, hand, .spin, count)
  bag.dispose()
}

@Sendable private func onImmediate(_ count: Int) {
  let (viewModel, sum) = (Numbers(scheduler: ImmediateScheduler()), Sum())
  let subscription = viewModel.stateObservable.subscribe(onNext: { sum.value += $0 })
  for _ in 0..<count { viewModel.execute(.add) }
  subscription.dispose()
}

let viewModelRows: [Row] = [
  number("one action", .add, subscribers: 0),
  number("one action and a subscriber", .add),
  number("batch of a hundred", .add, batch: 100),
  number("three mappers", .three),
  number("sequence", .add, mode: .sequence),
  number("switchLatest", .add, mode: .switchLatest),
  number("parallelOrdered", .add, mode: .parallelOrdered),
  number("spinner", .spin),
  number("failure", .fail),
  wide("one action", .add, subscribers: 0),
  wide("one action and a subscriber", .add),
  wide("ten subscribers", .add, subscribers: 10),
  wide("batch of a hundred", .add, batch: 100),
  wide("three mappers", .three),
  wide("sequence", .add, mode: .sequence),
  wide("sequence, batch of a hundred", .add, mode: .sequence, batch: 100),
  sheet("optional child", .form(1)),
  sheet("mapper by hand", .byHand),
  Row(name: "number, phases and loading observed") { count in
    let hand = Hand()
    observed(Numbers(scheduler: hand), hand, count)
  },
  Row(name: "wide, phases and loading observed") { count in
    let hand = Hand()
    observed(Wides(scheduler: hand), hand, count)
  },
  Row(name: "wide, an element of a long stream") { count in
    let (hand, source) = (Hand(), PublishSubject<StateMapper<Wide>>())
    let viewModel = Wides(scheduler: hand)
    viewModel.source = source
    viewModel.execute(.long)
    hand.run()
    for _ in 0..<count {
      source.onNext { state in
        var state = state
        state.number += 1
        return state
      }
      hand.run()
    }
    viewModel.clear()
    hand.run()
  },
  Row(name: "number, create, subscribe, act, release") { count in
    let (hand, sum) = (Hand(), Sum())
    for _ in 0..<count {
      let viewModel = Numbers(scheduler: hand)
      let subscription = viewModel.stateObservable.subscribe(onNext: { sum.value += $0 })
      viewModel.execute(.add)
      hand.run()
      subscription.dispose()
    }
    hand.run()
  },
  Row(name: "number, ImmediateScheduler", run: onImmediate),
  Row(name: "number, MainScheduler") { count in
    MainActor.assumeIsolated {
      let (viewModel, sum) = (Numbers(scheduler: MainScheduler()), Sum())
      let subscription = viewModel.stateObservable.subscribe(onNext: { sum.value += $0 })
      for _ in 0..<count { viewModel.execute(.add) }
      subscription.dispose()
    }
  },
  Row(name: "number, execute beside 1,000 queued") { count in queued(1_000, count) },
  Row(name: "number, execute beside 300,000 queued") { count in queued(300_000, count) },
  Row(name: "number, 1,000 waiting in sequence, each ends") { count in
    let hand = Hand()
    let viewModel = Numbers(scheduler: hand)
    for _ in 0..<count { viewModel.execute(.add, mode: .sequence) }
    hand.run()
  },
  Row(name: "number, recorded, immediate") { count in
    let (recorder, sum) = (Recorder(), Sum())
    let viewModel = recorder.record("numbers") { Numbers(scheduler: ImmediateScheduler()) }
    let subscription = viewModel.stateObservable.subscribe(onNext: { sum.value += $0 })
    for _ in 0..<count { viewModel.execute(.add) }
    subscription.dispose()
    withExtendedLifetime(recorder) {}
  },
]

private func queued(_ others: Int, _ count: Int) {
  let hand = Hand()
  let viewModel = Numbers(scheduler: hand)
  for _ in 0..<others + count { viewModel.execute(.add) }
}
