import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

struct NoMailAccount: Error, Equatable {}

// contract 6, 6.3, 6.4: the outcomes of a view model's request
struct RequestTests {
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
    // Without the state
    phases = viewModel.executionObservable.map { String("\($0.phase)".prefix { $0.isLetter }) }.test()
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
    #expect(phases.values == ["started", "emitted", "completed"] && errors.values.isEmpty)
  }

  @Test func aReleasedReplyCompletesTheActionAndFreesItsLane() {
    let states = viewModel.stateObservable.map(\.ink).test()
    screens.routes.mutate { $0 = [] }
    scheduler.run()
    #expect(phases.values.last == "completed" && states.values.allSatisfy { $0 == nil } && errors.values.isEmpty)
    viewModel.execute(.chooseInk)
    scheduler.run()
    #expect(screens.reply != nil && phases.values.last == "started")
  }

  @Test func aFailedReplyFailsTheAction() throws {
    try #require(screens.reply).fail(NoMailAccount())
    scheduler.run()
    #expect(errors.values.count == 1 && errors.lastValue?.action == .chooseInk)
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
struct NavigatorTests {
  @Test func eachSubscriptionOfARequestSendsARouteOfItsOwn() {
    let routes = Locked<[PaintRoute]>([])
    let request = Navigator { new in routes.mutate { $0 += new } }.request { PaintRoute.pickInk($0) }
    #expect(routes.value.isEmpty)
    let (first, second) = (request.test(), request.test())
    let sent = routes.value
    #expect(sent.count == 2 && sent[0] != sent[1] && sent[0] == sent[0])
    if case .pickInk(let reply) = sent[1] { reply.send(.red) }
    #expect(first.events.isEmpty && second.values == [.red] && second.isCompleted)
    #expect(Set([1, 2].map { _ in Reply<Int> { _ in } }.map(\.hashValue)).count == 2)
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
        events.increment()
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

// contract 6.7
struct ReplyEndTests {
  /// A request whose route a screen has received. The screen holds the reply.
  private final class Asked: Sendable {
    let request: TestObserver<Int>
    let ended: TestObserver<Void>
    let reply: Reply<Int>

    init() {
      let replies = Locked<[Reply<Int>]>([])
      request = Navigator<Reply<Int>> { new in replies.mutate { $0 += new } }.request { $0 }.test()
      reply = replies.value[0]
      ended = reply.ended.test()
    }
  }

  @Test(
    arguments: [
      { $0.send(1) }, { $0.fail(NoMailAccount()) }, { $0.cancel() },
    ] as [@Sendable (Reply<Int>) -> Void])
  func theEndComesOnceAfterTheAnswerAndCompletes(end: @Sendable (Reply<Int>) -> Void) {
    let log = Locked<[String]>([])
    let reply = Reply<Int> { event in log.mutate { $0.append("\(event)") } }
    _ = reply.ended.subscribe(
      onNext: { log.mutate { $0.append("ended") } }, onCompleted: { log.mutate { $0.append("over") } })
    #expect(log.value == [])
    end(reply)
    let seen = log.value
    // The entries before these are those of the handler.
    #expect(seen.count >= 3 && seen.suffix(2) == ["ended", "over"])
    reply.send(2)
    reply.cancel()
    #expect(log.value == seen)
  }

  @Test func theStreamDoesNotRetainTheReplyAndEmitsAtItsRelease() {
    let released = Locked(false)
    var reply: Reply<Int>? = Reply { _ in released.mutate { $0 = true } }
    let stream = reply!.ended
    let ended = stream.test()
    #expect(ended.events.isEmpty)
    reply = nil
    #expect(released.value && ended.values.count == 1 && ended.isCompleted)
    let late = stream.test()
    #expect(late.values.count == 1 && late.isCompleted)
  }

  @Test func anAnsweredRequestEndsOnceThoughItsSubscriberDisposesItInTheAnswer() {
    let (replies, serial) = (Locked<[Reply<Int>]>([]), SerialDisposable())
    let request = Navigator<Reply<Int>> { new in replies.mutate { $0 += new } }.request { $0 }
    serial.replace(with: request.subscribe(onNext: { _ in serial.dispose() }))
    let ended = replies.value[0].ended.test()
    replies.value[0].send(1)
    #expect(ended.values.count == 1 && ended.isCompleted)
  }

  @Test(.ownThread) func aRequestDisposedOnAnotherThreadEndsThere() {
    let (asked, thread) = (Asked(), Locked<ObjectIdentifier?>(nil))
    #expect(asked.ended.events.isEmpty)
    _ = asked.reply.ended.subscribe(onNext: { thread.mutate { $0 = ObjectIdentifier(Thread.current) } })
    #expect(onOtherThread { asked.request.dispose() })
    #expect(thread.value != nil && thread.value != ObjectIdentifier(Thread.current))
    #expect(asked.ended.values.count == 1 && asked.ended.isCompleted)
    asked.reply.send(1)
    #expect(asked.request.events.isEmpty && asked.ended.events.count == 2)
  }

  @Test func aDisposedRequestReleasesItsSubscriberAlthoughTheScreenStays() {
    let (lifetimes, replies) = (Lifetimes(), Locked<[Reply<Int>]>([]))
    let request = Navigator<Reply<Int>> { new in replies.mutate { $0 += new } }.request { $0 }
    func subscribe() -> any Disposable {
      let object = lifetimes.make()
      return request.subscribe(onNext: { _ in object.touch() })
    }
    let subscription = subscribe()
    #expect(lifetimes.alive == 1)
    subscription.dispose()
    #expect(lifetimes.alive == 0)
    withExtendedLifetime((replies, subscription)) {}
  }

  @Test func aRequestDisposedWhileItsRouteIsSentEnds() {
    let (serial, replies) = (SerialDisposable(), Locked<[Reply<Int>]>([]))
    let request = Navigator<Reply<Int>> { new in
      replies.mutate { $0 += new }
      serial.dispose()
    }.request { $0 }
    serial.replace(with: request.subscribe(onNext: { _ in }))
    let ended = replies.value[0].ended.test()
    #expect(ended.values.count == 1 && ended.isCompleted)
  }

  @MainActor @Test func aRequestDisposedWhileItsRouteWaitsEnds() {
    let (navigation, ended) = (Navigation<Reply<Int>>(), Locked(0))
    let request = navigation.navigator.nested { $0 }.request { (reply: Reply<Int>) in
      _ = reply.ended.subscribe(onNext: { ended.increment() })
      return reply
    }.test()
    #expect(ended.value == 0)
    request.dispose()
    #expect(ended.value == 1)
    withExtendedLifetime(navigation) {}
  }

  @Test(
    arguments: [
      { $0?.cancelActions { $0 == .chooseInk } }, { $0?.clear() }, { $0 = nil },
    ] as [@Sendable (inout PaintViewModel?) -> Void])
  func theEndsOfAnActionAndOfItsViewModelEndTheRequest(end: @Sendable (inout PaintViewModel?) -> Void) throws {
    let (screens, scheduler) = (TestNavigator<PaintRoute>(), TestScheduler())
    var viewModel: PaintViewModel? = PaintViewModel(navigator: screens.navigator, scheduler: scheduler)
    viewModel?.execute(.chooseInk)
    scheduler.run()
    guard case .pickInk(let reply) = try #require(screens.routes.last) else { throw TestError("another route") }
    let ended = reply.ended.test()
    #expect(ended.events.isEmpty)
    end(&viewModel)
    scheduler.run()
    #expect(ended.values.count == 1 && ended.isCompleted)
  }

  @Test(.stress) func anAnswerAndADisposeOnTwoThreadsEndItOnce() async throws {
    let rounds = await race(times: 2_000) {
      Asked()
    } _: {
      $0.reply.send(1)
    } _: {
      $0.request.dispose()
    }
    for asked in try #require(rounds) {
      #expect(asked.ended.values.count == 1 && asked.ended.isCompleted)
    }
  }
}
