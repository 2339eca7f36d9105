// The declarations that the mistakes beside this file refer to. `.ci/mistakes` compiles each with this one.
import RxViewModel

enum TitleAction: Sendable {
  case load
  case save(String)
  case form(TitleForm.Action)
}

struct TitleState: Sendable, Equatable {
  var title = ""
  var count = 0
  var form = TitleForm.State()
}

struct TitleForm: Feature {
  enum Action: Sendable { case done }
  enum Output: Sendable { case saved }
  struct State: Sendable, Equatable { var name = "" }

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
    context.output(.saved)
  }
}

func fetch() async throws -> Int { 1 }
