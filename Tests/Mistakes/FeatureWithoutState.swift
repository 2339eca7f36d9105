// The compiler says: reference to invalid type alias 'Effect' of type 'Counter'
import RxViewModel

struct Counter: Feature {
  enum Action: Sendable { case add }

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect { .mutate { $0 += 1 } }
}
