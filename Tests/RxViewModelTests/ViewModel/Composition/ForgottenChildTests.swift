import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.19: an action that a parent leaves to a child, and that child(for:) has forgotten
@Suite struct ForgottenChildTests {
  private struct Leaf: Feature {
    func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Int>> {
      .mutate { $0 = action }
    }
  }

  /// Forgets the actions below zero.
  private struct Panel: Feature {
    func child(for action: Int) -> ChildAction<Int, Int>? {
      action < 0 ? nil : .init(Leaf(), action, at: \.self, as: { $0 })
    }

    func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Int>> {
      .handledByChild()
    }
  }

  private let diagnosed = Locked<[String]>([])

  /// Forgets action 100, and leaves the others to its panel.
  private var screen: ClosureViewModel<Int, Int> {
    ClosureViewModel(7, scheduler: ImmediateScheduler()) {
      $0.effect = { _, _ in .handledByChild() }
      $0.child = { _, action in action == 100 ? nil : .init(Panel(), action, at: \.self, as: { $0 }) }
      $0.diagnose = { [diagnosed] _, diagnostic in diagnosed.mutate { $0.append("\(diagnostic)") } }
    }
  }

  @Test func theViewModelDiagnosesTheActionAndWhereTheParentLeavesIt() async throws {
    let screen = screen
    let ends = screen.ends()
    for action in [100, -200] { screen.execute(action) }
    #expect(ends.values == ["100 failed", "-200 failed"] && screen.currentState == 7)
    let texts = diagnosed.value
    try #require(texts.count == 2)
    for (text, action) in zip(texts, ["100", "-200"]) {
      #expect(text.contains(action) && text.contains("child(for:) returned nil for this action"), "\(text)")
      #expect(text.contains("ForgottenChildTests.swift:"), "\(text)")
    }
    #expect(texts[0] != texts[1])
    await #expect(throws: (any Error).self) { try await screen.perform(100) }
  }

  @Test func aDeclaredChildAnswersInItsPlace() {
    let screen = screen
    screen.execute(3)
    #expect(screen.currentState == 3 && diagnosed.value.isEmpty)
  }
}
