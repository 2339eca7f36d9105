import Dispatch
import Foundation
import RxViewModel
import Testing

@testable import TestSupport

/// A view model that another thread uses while it is made. Its source fails, which gives it a turn that doesn't keep it alive.
// Sendable: its properties are immutable.
private final class OpenedViewModel: RxViewModel<Int, Int>, @unchecked Sendable {
  private let begin: @Sendable (OpenedViewModel) -> Void
  private let added: Locked<Int>

  init(_ added: Locked<Int>, begin: @escaping @Sendable (OpenedViewModel) -> Void) {
    (self.added, self.begin) = (added, begin)
    super.init(scheduler: DispatchQueue(label: "opened"))
  }

  override func createInitialState() -> Int {
    begin(self)
    return 0
  }

  override func createSources() -> [Effect] { [.error(TestError())] }
  override func handleError(_ error: any Error, action: Int?) -> Bool { true }

  override func createObservable(_ action: Int) -> Effect {
    added.increment()
    return .mutate { $0 += action }
  }
}

// contract 2.2, 2.9
@Suite(.stress, .ownThread) struct OpeningRaceTests {
  /// Makes a view model. Meanwhile, another thread calls `other`, in each round a little later. Returns when both have returned.
  private static func make(
    _ added: Locked<Int>, round: Int, prepare: @escaping @Sendable (OpenedViewModel) -> Void = { _ in },
    _ other: @escaping @Sendable (OpenedViewModel?) -> Void
  ) -> OpenedViewModel {
    let (isMade, end) = (Locked(false), Signal())
    let viewModel = OpenedViewModel(added) { viewModel in
      prepare(viewModel)
      Thread { [weak viewModel] in
        while !isMade.value {}
        for _ in 0..<(round % 100) { _ = isMade.value }
        other(viewModel)
        end.fire()
      }.start()
      isMade.mutate { $0 = true }
    }
    #expect(end.wait())
    return viewModel
  }

  @Test func oneThatIsClearedCompletesItsStreams() async {
    await onThread {
      for round in 0..<10_000 {
        let (added, completed, bag) = (Locked(0), Signal(), DisposeBag())
        let prepare = { @Sendable (viewModel: OpenedViewModel) in
          _ = viewModel.stateObservable.subscribe(onCompleted: { completed.fire() })
          viewModel.clear(with: bag)
          viewModel.execute(1)
        }
        let viewModel = Self.make(added, round: round, prepare: prepare) { _ in bag.dispose() }
        #expect(completed.wait(), "round \(round)")
        withExtendedLifetime(viewModel) {}
      }
    }
  }

  @Test func anActionIsExecutedAlthoughTheLastReferenceGoes() async {
    await onThread {
      for round in 0..<10_000 {
        let added = Locked(0)
        _ = Self.make(added, round: round) { $0?.execute(1) }
        #expect(waitUntil { added.value == 1 }, "round \(round)")
      }
    }
  }
}
