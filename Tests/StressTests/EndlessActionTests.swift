import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 1.4, 2.9, 2.10, 2.11: an action whose effect loops while the view model subscribes to it.
@Suite(.stress, .serialized) struct EndlessActionTests {
  enum End: String, CaseIterable {
    case cancelActions, clear, release, scope
  }

  @Test(arguments: EndlessLoop.all, End.allCases)
  func anotherThreadEnds(loop: EndlessLoop, by end: End) async {
    let (attempts, lifetimes) = (Attempts(), Lifetimes())
    let screen = Locked<Screen?>(Screen())
    await onThread {
      let (reached, bag) = (Signal(), DisposeBag())
      attempts.atThousandth { reached.fire() }
      let start = PublishSubject<Int>()
      do {
        let loop = loop.stream(attempts, lifetimes.make())
        // While the view model subscribes to an effect, the action keeps it alive (contract 2.9). So this loop begins later.
        let effect = end == .release ? start.flatMap { _ in loop } : loop
        screen.value!.execute(Step("loop", on: effect), mode: nil, in: bag)
      }
      if end == .release {
        Thread {
          if waitUntil({ start.hasObservers }) { start.onNext(0) }
        }.start()
      }
      #expect(reached.wait())
      switch end {
      case .cancelActions: screen.value!.cancelActions { $0.name == "loop" }
      case .clear: screen.value!.clear()
      case .release: screen.mutate { $0 = nil }
      case .scope: bag.dispose()
      }
      attempts.areOver()
      #expect(lifetimes.waitForNone())
    }
    attempts.expectEnded()
    if end == .cancelActions || end == .scope { await expectUsable(screen.value!) }
  }

  @Test(arguments: EndlessLoop.all)
  func theCancellationOfATaskEnds(loop: EndlessLoop) async {
    let (attempts, lifetimes, screen) = (Attempts(), Lifetimes(), Screen())
    let (reached, outcome) = (Signal(), Locked<String?>(nil))
    await onThread {
      attempts.atThousandth { reached.fire() }
      let task: Task<Void, Never>
      do {
        let step = Step("loop", on: loop.stream(attempts, lifetimes.make()))
        task = Task {
          do {
            let state = try await screen.perform(step)
            outcome.mutate { $0 = "\(state)" }
          } catch {
            outcome.mutate { $0 = error is CancellationError ? "cancelled" : "\(error)" }
          }
        }
      }
      #expect(reached.wait())
      task.cancel()
      attempts.areOver()
      #expect(lifetimes.waitForNone())
    }
    attempts.expectEnded()
    #expect(await eventually { outcome.value != nil })
    #expect(outcome.value == "cancelled")
    await expectUsable(screen)
  }

  // The streams report the end, and the next action starts.
  @Test func theViewModelReportsTheCancellation() async {
    let (attempts, lifetimes, screen) = (Attempts(), Lifetimes(), Screen())
    let journal = Journal(screen)
    await onThread {
      let reached = Signal()
      attempts.atThousandth { reached.fire() }
      screen.execute(Step("loop", spins: true, on: EndlessLoop.all[0].stream(attempts, lifetimes.make())))
      screen.execute(Step("next"))
      #expect(reached.wait())
      screen.cancelActions { $0.name == "loop" }
      attempts.areOver()
      #expect(lifetimes.waitForNone())
    }
    attempts.expectEnded()
    #expect(
      await eventually { journal.lines.contains("next completed next") && journal.lines.contains("loading false") })
    // Loading ends before the next action or after it.
    #expect(
      journal.news.filter { $0 != "loading false" } == [
        "loading true", "loop started", "loop cancelled", "next started", "state next", "next made next",
        "next emitted next",
        "next completed next",
      ])
  }

  private func expectUsable(_ screen: Screen) async {
    screen.execute(Step("next"))
    #expect(await eventually { screen.currentState == ["next"] })
  }
}
