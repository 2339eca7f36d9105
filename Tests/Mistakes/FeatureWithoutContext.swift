// The compiler says: type 'Counter' does not conform to protocol 'Feature'
import RxViewModel

struct Counter: Feature {
  enum Action: Sendable { case add }

  func createObservable(_ action: Action) -> Observable<StateMapper<Int>> { .mutate { $0 += 1 } }
}
