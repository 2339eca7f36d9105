import RxViewModel
import Testing

@testable import TestSupport

// contract 2.18
@Suite(.stress) struct SessionRaceTests {
  @Test func aSessionEndsWhileScreensComeAndGo() async {
    let (session, lifetimes) = (DisposeBag(), Lifetimes())
    await race(threads: 8) { number in
      for _ in 0..<200 {
        if number == 0 {
          session.dispose()
        } else {
          let screen = Screen(tracker: lifetimes.make())
          screen.clear(with: session)
          if number % 2 == 0 { screen.clear() }
        }
      }
    }
    #expect(await eventually { lifetimes.alive == 0 })
  }
}

#if os(Linux)
  // contract 2.18. Each test runs in a process of its own, where no other test allocates.
  @Suite(.stress) struct SessionMemoryTests {
    @Test(.ownThread) func theBagOfASessionDoesNotGrow() async {
      await #expect(processExitsWith: .success) {
        let session = DisposeBag()
        checkGrowth(below: 10_000, from: 1_000, to: 10_000) { count in
          for _ in 0..<count { Screen(scheduler: ImmediateScheduler()).clear(with: session) }
        }
      }
    }

    @Test(.ownThread) func aViewModelDoesNotGrowWithRepeatedCalls() async {
      await #expect(processExitsWith: .success) {
        let (session, screen) = (DisposeBag(), Screen(scheduler: ImmediateScheduler()))
        checkGrowth(below: 4_096, from: 1_000, to: 10_000) { for _ in 0..<$0 { screen.clear(with: session) } }
      }
    }

    // contract 2.12
    @Test(.ownThread) func aLifecycleDoesNotGrowWithTheViewModelsThatItBinds() async {
      await #expect(processExitsWith: .success) {
        await MainActor.run {
          let lifecycle = Lifecycle()
          lifecycle.resume()
          checkGrowth(below: 10_000, from: 1_000, to: 10_000) { count in
            MainActor.assumeIsolated {
              for _ in 0..<count { lifecycle.bind(Screen(scheduler: ImmediateScheduler())) }
            }
          }
        }
      }
    }
  }
#endif
