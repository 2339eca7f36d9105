import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.19: the last mapper of a child's only action executes another one
@Suite struct UnreadPlaceTests {
  private typealias Action = UnreadPlace.Action
  private typealias Screen = UnreadPlace.Screen

  @Test func anActionThatTheLastMapperExecutesReachesNoOtherInstance() {
    let screen = Screen { state in if state.other.text == "first" { state.other = .init(id: 1) } }
    let ends = screen.ends()
    screen.execute(.other(.setAndExecute("first", then: "second")))
    #expect(ends.values == ["other(first then second) completed", "other(second) cancelled"])
    #expect(screen.currentState.other == .init(id: 1))
    screen.execute(.other(.set("third")))
    #expect(screen.currentState.other.text == "third")
  }

  @Test func anActionThatTheLastMapperExecutesReachesTheSameInstance() {
    let screen = Screen { _ in }
    let ends = screen.ends()
    screen.execute(.other(.setAndExecute("first", then: "second")))
    #expect(ends.values.allSatisfy { $0.hasSuffix("completed") } && ends.values.count == 2)
    #expect(screen.currentState.other.text == "second")
  }
}

private enum UnreadPlace {
  struct Form: Sendable, Equatable, Identifiable {
    var id = 0
    var text = ""
  }

  struct Sheet: Sendable, Equatable { var rows = [Form()] }

  struct State: Sendable, Equatable {
    var sheet: Sheet? = Sheet()
    var other = Form()
  }

  enum FormAction: Sendable, Equatable, CustomStringConvertible {
    case set(String)
    case setAndExecute(String, then: String)
    case wait

    var description: String {
      switch self {
      case .set(let text): text
      case .setAndExecute(let text, let next): "\(text) then \(next)"
      case .wait: "wait"
      }
    }
  }

  enum Action: Sendable, Equatable {
    case row(FormAction)
    case other(FormAction)
  }

  struct FormFeature: Feature {
    func createObservable(_ action: FormAction, context: FeatureContext<Self>) -> Observable<StateMapper<Form>> {
      switch action {
      case .set(let text): .mutate { $0.text = text }
      case .setAndExecute(let text, let next):
        .mutate { form in
          form.text = text
          context.execute(.set(next))
        }
      case .wait: .never()
      }
    }
  }

  final class Screen: RxViewModel<Action, State>, @unchecked Sendable {  // Sendable: its property is a `let`.
    private let update: @Sendable (inout State) -> Void

    init(_ update: @escaping @Sendable (inout State) -> Void) {
      self.update = update
      super.init(initialState: State(), scheduler: ImmediateScheduler())
    }

    override func child(for action: Action) -> ChildAction<Action, State>? {
      let child: ChildAction<Action, State> =
        switch action {
        case .row(let action): .init(FormFeature(), action, at: \.sheet!.rows, id: 0, as: Action.row)
        case .other(let action): .init(FormFeature(), action, at: \.other, as: Action.other)
        }
      return child.updating(update)
    }

    override func createObservable(_ action: Action) -> Effect { .handledByChild() }
  }
}
