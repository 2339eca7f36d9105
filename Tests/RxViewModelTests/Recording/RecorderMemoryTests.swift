#if os(Linux)
  import Foundation
  import RxViewModel
  import RxViewModelRecording
  import RxViewModelTesting
  import Testing
  @testable import TestSupport

  /// A page of text that an action replaces.
  private struct Page: Codable, Sendable {
    var title = ""
    var text = ""
  }

  private enum PageAction: Codable, Sendable {
    case turn(Int)
    case load(Int)
  }

  // Sendable: it stores only `let`s.
  private final class PageViewModel: RxViewModel<PageAction, Page>, @unchecked Sendable {
    private let size: Int
    private let text: @Sendable (Int) -> String

    init(_ size: Int, on scheduler: any Scheduler, text: @escaping @Sendable (Int) -> String) {
      (self.size, self.text) = (size, text)
      super.init(scheduler: scheduler)
    }

    override func createInitialState() -> Page { Page() }

    override func createObservable(_ action: PageAction) -> Effect {
      switch action {
      case .turn(let number):
        let text = String(repeating: "\(number % 10)", count: size)
        return .mutate { $0 = Page(title: "\(number)", text: text) }
      case .load(let number):
        let title = text(number)
        return .mutate { $0.title = title }
      }
    }
  }

  private func pages(_ recorder: SessionRecorder, _ size: Int, on scheduler: any Scheduler) -> PageViewModel {
    recorder.record("page") {
      PageViewModel(size, on: scheduler) { number in recorder.value("text \(number)") { "\(number)" } }
    }
  }

  // contract 9.3
  @Suite("The memory of a recorder") struct RecorderMemoryTests {
    /// The number of actions: a million were executed once.
    static let actions = Int(ProcessInfo.processInfo.environment["RX_ACTIONS"] ?? "") ?? 50_000

    @Test(.stress, .ownThread) func manyActionsLeaveNothingBehind() async {
      await #expect(processExitsWith: .success) {
        let scheduler = TestScheduler()
        let recorder = SessionRecorder(limit: 400)
        let model = pages(recorder, 10, on: scheduler)
        let work = {
          for number in 0..<(Self.actions / 4) {
            model.execute(number % 3 == 0 ? .load(number) : .turn(number))
            if number % 7 == 0 { model.cancelActions { _ in number % 2 == 0 } }
            scheduler.run()
          }
        }
        work()
        // A leak grows each time. The allocator's own reserve comes once.
        let growth = (0..<3).map { _ in allocation(of: work) }.min()!
        precondition(growth < 20_000, "\(growth) bytes more")
      }
    }
  }
#endif
