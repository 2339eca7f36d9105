import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// contract 2.12: a handler of a lifecycle changes it. Each handler gets each change, in order.
@MainActor
struct NestedLifecycleTests {
  private final class Counting: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: a `let`.
    let calls = Locked<[String]>([])

    override func createInitialState() -> Int { 0 }
    override func onResume(_ scope: DisposeBag) { calls.append("resume") }
    override func onPause() { calls.append("pause") }
  }

  @Test(arguments: ["pause", "destroy", "pause and resume"])
  func aLaterHandlerGetsBothChanges(change: String) {
    let (lifecycle, navigation) = (Lifecycle(), Navigation<Int>())
    let viewModel = Counting(scheduler: ImmediateScheduler())
    navigation.observe(lifecycle) { _ in
      if change == "destroy" { lifecycle.destroy() } else { lifecycle.pause() }
      if change == "pause and resume" { lifecycle.resume() }
    }
    lifecycle.bind(viewModel)
    navigation.navigator.navigate(1)
    lifecycle.resume()
    #expect(
      viewModel.calls.value == (change == "pause and resume" ? ["resume", "pause", "resume"] : ["resume", "pause"]))
  }
}
