import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// Contract 2.20: where a mapper stands among the steps. Each was wrong once.
struct OptimisticPlaceTests {
  // The user types while something else is unconfirmed, and the search of that text answers.
  @Test(arguments: [false, true]) func anAnswerIsNotUnderWhatWasCertainWhenItsActionBegan(isSnapshot: Bool) {
    let screen = FeedScreen()
    screen.execute(.change { $0.insert(1) })
    screen.type { $0.log = [] }
    let search = screen.execute(FeedPlan(isSnapshot: isSnapshot))
    screen.send(search) { $0.log = [5] }
    #expect(screen.state.log == [5])
  }

  // It was confirmed before the request, so the answer knows better.
  @Test func aSnapshotReplacesAChangeThatWasConfirmedBeforeItsRequest() {
    let screen = FeedScreen()
    let upload = screen.execute(.change { $0.insert(1) })
    screen.complete(screen.execute(.change { $0.log = [1] }))
    let refresh = screen.execute(.snapshot)
    screen.send(refresh) { $0.log = [] }
    #expect(screen.state == Feed(rows: [.init(id: 1)]))
    screen.fail(upload)
    #expect(screen.state == Feed())
  }

  // The order of the two makes a difference, so neither moves.
  @Test func anEditOfAnUnconfirmedRowStaysWhenASnapshotBegins() {
    let screen = FeedScreen()
    screen.execute(.change { $0.insert(1) })
    screen.type { $0.append(5, to: 1) }
    let refresh = screen.execute(.snapshot)
    screen.send(refresh) { $0.rows = [] }
    #expect(screen.state.rows == [.init(id: 1, text: [5])])
  }

  @Test func theErrorOfASnapshotIsOnTop() {
    let screen = FeedScreen()
    let refresh = screen.execute(FeedPlan(isSnapshot: true, recovery: { $0.log = [9] }))
    screen.type { $0.log = [] }
    screen.fail(refresh)
    #expect(screen.state.log == [9])
  }

  @Test func whatAWaitingActionSendsAsItStartsIsUnderALaterChange() {
    let screen = FeedScreen()
    let taps = (1...3).map { value in
      screen.execute(FeedPlan(change: { $0.log = [value] }, first: { $0.log = [value] }, mode: .sequence))
    }
    screen.complete(taps[0])
    #expect(screen.states.value.last?.log == [3])
    #expect(!screen.states.value.dropFirst(4).contains { $0.log != [3] })
  }

  @Test func theMappersOfASnapshotKeepTheirOrder() {
    let screen = FeedScreen()
    screen.execute(.change { $0.insert(5) })
    let refresh = screen.execute(FeedPlan(row: 5, rowChange: { $0.text.append(1) }, isSnapshot: true))
    screen.send(refresh) { $0.append(2, to: 5) }
    screen.send(refresh) { $0.append(3, to: 5) }
    #expect(screen.state.rows == [.init(id: 5, text: [1, 2, 3])])
  }

  // The source's mapper comes first, because it was sent before.
  @Test(arguments: [ExecutionMode.parallel, .parallelOrdered])
  func aMapperIsOnTopBehindWhatItsActionHasSentToASource(_ mode: ExecutionMode) {
    let (scheduler, count) = (TestScheduler(), BehaviorSubject(value: 0))
    let model = ClosureViewModel<Int, Feed>(Feed(), scheduler: scheduler) { _, number in
      if number == 1 { return .never() }
      count.onNext(7)
      return .mutate { $0.rows.removeLast() }
    } overrides: {
      $0.sources = { _ in [count.asObservable().mutate { $0.log = [$1] }] }
      $0.update = { _, number in number == 1 ? .change { $0.insert(1) } : nil }
    }
    model.execute(1)
    model.execute(2, mode: mode)
    scheduler.run()
    #expect(model.currentState == Feed(log: [7]))
  }

  // A mapper whose action it cancels itself counts for nothing, also later.
  @Test func aMapperThatCancelsItsActionIsForgotten() {
    let screen = FeedScreen()
    let upload = screen.execute(.change { $0.insert(1) })
    let (cancelled, empty) = (screen.execute(FeedPlan()), screen.execute(FeedPlan()))
    let viewModel = screen.viewModel
    screen.send(cancelled) {
      viewModel.cancelActions { $0 == cancelled }
      $0.log = [5]
    }
    screen.complete(empty)
    screen.fail(upload)
    #expect(screen.state == Feed())
  }

  @Test func anActionCancelledWhileItIsAskedForItsModeShowsNothing() {
    let states = Locked<[[Int]]>([])
    let viewModel = ClosureViewModel<Int, [Int]>([], scheduler: ImmediateScheduler()) { _, _ in
      .never()
    } overrides: {
      $0.mode = { model, _ in
        model.cancelActions { _ in true }
        return .parallel
      }
      $0.update = { _, action in .change { $0.append(action) } }
    }
    let subscription = viewModel.stateObservable.subscribe(onNext: { states.append($0) })
    viewModel.execute(1)
    #expect(states.value == [[]])
    subscription.dispose()
  }

  // The page that has been requested is the one that the list waits for, although its first mapper has run again.
  @Test func aPageStaysWhenALikeIsTakenBack() {
    struct State: Sendable { var (isLiked, list) = (false, Pages<String, Int, Int>()) }
    let answers = PublishSubject<Page<Int, Int>>()
    let viewModel = ClosureViewModel<String, State>(State(), scheduler: ImmediateScheduler()) { _, action in
      switch action {
      case "like": .never()
      case "next": .page(\.list, { $0.nextRequest }) { _ in answers.take(1) }
      default: .page(\.list, { $0.begin(action) }) { _ in answers.take(1) }
      }
    } overrides: {
      $0.update = { _, action in action == "like" ? .change { $0.isLiked = true } : nil }
    }
    viewModel.execute("like")
    viewModel.execute("swift")
    answers.onNext(Page([1], next: 2))
    viewModel.execute("next")
    viewModel.cancelActions { $0 == "like" }
    answers.onNext(Page([2], next: nil))
    #expect(viewModel.currentState.list.items == [1, 2] && !viewModel.currentState.isLiked)
  }
}
