import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.19: an action that a parent leaves to a child, and that child(for:) has forgotten
@Suite struct ForgottenChildTests {
  private typealias Action = ForgottenChild.Action

  @Test func theViewModelDiagnosesTheActionAndWhereTheParentLeavesIt() throws {
    let screen = ForgottenChild.Screen()
    let ends = screen.executionObservable.compactMap { if case .failed = $0.phase { $0.action } else { nil } }.test()
    screen.execute(.field(1))
    screen.execute(.panel(.field(2)))
    #expect(ends.values == [.field(1), .panel(.field(2))] && screen.currentState == ForgottenChild.State())
    let texts = screen.diagnosed.value
    try #require(texts.count == 2)
    for (text, action) in zip(texts, ["field(1)", "field(2)"]) {
      #expect(text.contains(action) && text.contains("child(for:) returned nil for this action"), "\(text)")
      #expect(text.contains("ForgottenChildTests.swift:"), "\(text)")
    }
    #expect(texts[0] != texts[1])
  }

  @Test func performThrows() async {
    let screen = ForgottenChild.Screen()
    await #expect(throws: (any Error).self) { try await screen.perform(.field(1)) }
  }

  @Test func aDeclaredChildAnswersInItsPlace() async throws {
    let screen = ForgottenChild.Screen()
    let state = try await screen.perform(.panel(.other(3)))
    #expect(state.panel.other == 3 && screen.diagnosed.value.isEmpty)
  }
}

private enum ForgottenChild {
  enum Action: Sendable, Equatable {
    case field(Int)
    case panel(PanelAction)
  }

  enum PanelAction: Sendable, Equatable {
    case field(Int)
    case other(Int)
  }

  struct Panel: Sendable, Equatable {
    var field = 0
    var other = 0
  }

  struct State: Sendable, Equatable {
    var field = 0
    var panel = Panel()
  }

  struct Field: Feature {
    func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Int>> {
      .mutate { $0 = action }
    }
  }

  /// A feature that forgets `field`.
  struct PanelFeature: Feature {
    func child(for action: PanelAction) -> ChildAction<PanelAction, Panel>? {
      guard case .other(let number) = action else { return nil }
      return .init(Field(), number, at: \.other, as: PanelAction.other)
    }

    func createObservable(_ action: PanelAction, context: FeatureContext<Self>) -> Observable<StateMapper<Panel>> {
      switch action {
      case .field, .other: .handledByChild()
      }
    }
  }

  /// A screen that forgets `field`.
  final class Screen: RxViewModel<Action, State>, @unchecked Sendable {  // Sendable: its property is a `let`.
    let diagnosed = Locked<[String]>([])

    init() { super.init(initialState: State(), scheduler: ImmediateScheduler()) }

    override func child(for action: Action) -> ChildAction<Action, State>? {
      guard case .panel(let action) = action else { return nil }
      return .init(PanelFeature(), action, at: \.panel, as: Action.panel)
    }

    override func createObservable(_ action: Action) -> Effect {
      switch action {
      case .field, .panel: .handledByChild()
      }
    }

    override func diagnose(_ diagnostic: ViewModelDiagnostic<Action>) {
      diagnosed.mutate { $0.append("\(diagnostic)") }
    }
  }
}
