import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

struct NoMailAccount: Error, Equatable {}

// contract 6, 6.3, 6.4: the outcomes of a view model's request
@Suite struct RequestTests {
  /// A navigator whose routes the test holds.
  private final class Screens: Sendable {
    let routes = Locked<[PaintRoute]>([])

    var navigator: Navigator<PaintRoute> {
      Navigator { [routes] new in routes.mutate { $0 += new } }
    }

    var reply: Reply<Ink>? {
      if case .pickInk(let reply)? = routes.value.last { reply } else { nil }
    }
  }

  private let screens = Screens()
  private let scheduler = TestScheduler()
  private let viewModel: PaintViewModel
  private let phases: TestObserver<String>
  private let errors: TestObserver<ActionAndError<PaintAction>>

  init() {
    viewModel = PaintViewModel(navigator: screens.navigator, scheduler: scheduler)
    errors = viewModel.actionAndErrorObservable.test()
    phases = viewModel.executionObservable.map { execution in
      switch execution.phase {
      case .started: "started"
      case .emitted: "emitted"
      case .completed: "completed"
      case .failed: "failed"
      case .cancelled: "cancelled"
      case .dropped: "dropped"
      }
    }.test()
    viewModel.execute(.chooseInk)
    scheduler.run()
  }

  @Test func theFirstAnswerBecomesStateAndEndsTheAction() throws {
    let reply = try #require(screens.reply)
    #expect(phases.values == ["started"])
    reply.send(.blue)
    reply.send(.red)
    reply.fail(NoMailAccount())
    reply.cancel()
    scheduler.run()
    #expect(viewModel.currentState.ink == .blue)
    #expect(phases.values == ["started", "emitted", "completed"])
    #expect(errors.values.isEmpty)
  }

  @Test func aReleasedReplyCompletesTheActionAndFreesItsLane() {
    let states = viewModel.stateObservable.map(\.ink).test()
    screens.routes.mutate { $0 = [] }
    scheduler.run()
    #expect(phases.values.last == "completed")
    #expect(states.values.allSatisfy { $0 == nil })
    #expect(errors.values.isEmpty)
    viewModel.execute(.chooseInk)
    scheduler.run()
    #expect(screens.reply != nil)
    #expect(phases.values.last == "started")
  }

  @Test func aFailedReplyFailsTheAction() throws {
    try #require(screens.reply).fail(NoMailAccount())
    scheduler.run()
    #expect(errors.values.count == 1)
    #expect(errors.lastValue?.action == .chooseInk)
    #expect(errors.lastValue?.error is NoMailAccount)
    #expect(phases.values == ["started", "failed"])
  }

  @Test(arguments: [true, false])
  func anAnswerAfterACancellationOrAClearHasNoEffect(isClear: Bool) throws {
    let reply = try #require(screens.reply)
    if isClear { viewModel.clear() } else { viewModel.cancelActions { $0 == .chooseInk } }
    scheduler.run()
    reply.send(.red)
    scheduler.run()
    #expect(viewModel.currentState.ink == nil)
    #expect(phases.values.last == (isClear ? "started" : "cancelled") && phases.isCompleted == isClear)
  }
}

// contract 6.3, 6.5
@Suite struct NavigatorTests {
  @Test func eachSubscriptionOfARequestSendsARouteOfItsOwn() {
    let routes = Locked<[PaintRoute]>([])
    let request = Navigator { new in routes.mutate { $0 += new } }.request { PaintRoute.pickInk($0) }
    #expect(routes.value.isEmpty)
    let (first, second) = (request.test(), request.test())
    let sent = routes.value
    #expect(sent.count == 2 && sent[0] != sent[1] && sent[0] == sent[0])
    if case .pickInk(let reply) = sent[1] { reply.send(.red) }
    #expect(first.events.isEmpty)
    #expect(second.values == [.red] && second.isCompleted)
    #expect(Set([1, 2].map { _ in Reply<Int> { _ in } }).count == 2)
  }

  @Test func aRouteThatDoesNotTakeTheReplyCompletesTheRequestAtOnce() {
    let request = Navigator<PaintRoute> { _ in }.request { (_: Reply<Int>) in .about }.test()
    #expect(request.values.isEmpty && request.isCompleted)
  }

  @Test func routesSentTogetherComeTogetherAndAnEmptyGroupIsNotSent() {
    let groups = Locked<[[Int]]>([])
    let navigator = Navigator<Int> { routes in groups.mutate { $0.append(routes) } }
    navigator.navigate(1, 2)
    navigator.navigate([3])
    navigator.navigate([])
    navigator.navigate()
    #expect(groups.value == [[1, 2], [3]])
  }

  @Test func aPartsRoutesArriveEmbeddedAndItsRequestsAreAnswered() {
    struct Route: Sendable { let paint: PaintRoute }
    let routes = Locked<[Route]>([])
    let app = Navigator<Route> { new in routes.mutate { $0 += new } }
    let settings = app.nested { Route(paint: $0) }.nested { PaintRoute.settings($0) }
    settings.navigate(.about)
    #expect(routes.value.map(\.paint) == [.settings(.about)])
    let grid = settings.request { .pickGrid($0) }.test()
    if case .settings(.pickGrid(let reply))? = routes.value.last?.paint { reply.send(8) }
    #expect(grid.values == [8] && grid.isCompleted)
  }

  @Test func anAnswerReleasesTheHandlerOfTheReply() {
    let lifetimes = Lifetimes()
    func makeReply() -> Reply<Int> {
      let object = lifetimes.make()
      return Reply { _ in object.touch() }
    }
    let (answered, failed, cancelled) = (makeReply(), makeReply(), makeReply())
    #expect(lifetimes.alive == 3)
    answered.send(1)
    failed.fail(NoMailAccount())
    cancelled.cancel()
    #expect(lifetimes.alive == 0)
    withExtendedLifetime((answered, failed, cancelled)) {}
  }

  @Test func aReplyThatIsReleasedInItsOwnHandlerAnswersOnce() {
    let (reply, events) = (Locked<Reply<Int>?>(nil), Locked(0))
    reply.mutate {
      $0 = Reply { _ in
        events.mutate { $0 += 1 }
        reply.mutate { $0 = nil }
      }
    }
    reply.value?.send(1)
    #expect(events.value == 2)
  }

  @Test(.stress) func ofTheAnswersOfTwoThreadsOneCounts() async throws {
    final class Asked: Sendable {
      let events = Locked<[String]>([])
      let reply: Reply<Int>

      init() {
        reply = Reply { [events] event in events.mutate { $0.append("\(event)") } }
      }
    }
    let rounds = await race(times: 2_000) {
      Asked()
    } _: {
      $0.reply.send(1)
    } _: {
      $0.reply.cancel()
    }
    for asked in try #require(rounds) {
      let events = asked.events.value
      #expect(events == ["next(1)", "completed"] || events == ["completed"])
    }
  }
}
