import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 6.7
@Suite struct ReplyEndTests {
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
    #expect(released.value)
    #expect(ended.values.count == 1 && ended.isCompleted)
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
      _ = reply.ended.subscribe(onNext: { ended.mutate { $0 += 1 } })
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

  @Test func aSubscriberMadeInsideTheCallbackGetsItToo() {
    let (asked, inner) = (Asked(), TestObserver<Void>())
    _ = asked.reply.ended.subscribe(onNext: { [reply = asked.reply] in
      reply.cancel()
      _ = reply.ended.subscribe(inner)
    })
    asked.reply.send(1)
    #expect(inner.values.count == 1 && inner.isCompleted)
    #expect(asked.request.values == [1] && asked.ended.values.count == 1)
  }

  @Test func aDisposedSubscriptionGetsNothingAndIsReleased() {
    let (asked, lifetimes) = (Asked(), Lifetimes())
    func subscribe() -> any Disposable {
      let object = lifetimes.make()
      return asked.reply.ended.subscribe(onNext: {
        object.touch()
        Issue.record("a disposed subscription has received the end")
      })
    }
    let subscription = subscribe()
    #expect(lifetimes.alive == 1)
    subscription.dispose()
    #expect(lifetimes.alive == 0)
    asked.reply.send(1)
    #expect(asked.request.values == [1])
    withExtendedLifetime(subscription) {}
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
