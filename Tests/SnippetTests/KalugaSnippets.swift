// The code of the article on migrating from Kaluga, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

enum LocationAction: Sendable, Equatable {
  case follow
}

final class LocationViewModel: RxViewModel<LocationAction, String>, @unchecked Sendable {
  private let places: Observable<String>

  init(places: Observable<String>, scheduler: (any Scheduler)? = nil) {
    self.places = places
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> String { "" }

  override func onResume(_ scope: DisposeBag) {
    execute(.follow, in: scope)
  }

  override func createObservable(_ action: LocationAction) -> Effect {
    switch action {
    case .follow: places.mutate { state, place in state = place }
    }
  }
}

// contract 2.12
@Suite struct KalugaSnippetTests {
  @Test func placesAreFollowedWhileTheScreenIsResumed() {
    let (scheduler, places) = (TestScheduler(), PublishSubject<String>())
    let viewModel = LocationViewModel(places: places.asObservable(), scheduler: scheduler)
    viewModel.didResume()
    scheduler.run()
    places.onNext("Amsterdam")
    scheduler.run()
    viewModel.didPause()
    scheduler.run()
    #expect(!places.hasObservers)
    #expect(viewModel.currentState == "Amsterdam")
  }
}
