// The code on nested features of the article on migrating from the Composable Architecture, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

struct FilterField: Feature {
  struct State: Sendable, Equatable {
    var text = ""
  }

  enum Action: Sendable, Equatable {
    case setText(String)
  }

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
    switch action {
    case .setText(let text): .mutate { $0.text = text }
    }
  }
}

nonisolated struct AlbumState: Sendable, Equatable {
  var name = ""
  var filter = FilterField.State()
  var form: NameForm.State?
  var tracks: [TrackRow.State] = []
  var favorites: Set<TrackRow.State.ID> = []
}

nonisolated enum AlbumAction: Sendable, Equatable {
  case filter(FilterField.Action)
  case form(NameForm.Action)
  case formDone(NameForm.Output)
  case track(TrackRow.State.ID, TrackRow.Action)
  case favor(TrackRow.State.ID)
}

final class AlbumViewModel: RxViewModel<AlbumAction, AlbumState>, @unchecked Sendable {
  private let nameForm: NameForm
  private let trackRow: TrackRow
  private let favorites: MutableProperty<Set<TrackRow.State.ID>>

  init(
    _ album: AlbumState, nameForm: NameForm, trackRow: TrackRow,
    favorites: MutableProperty<Set<TrackRow.State.ID>>, scheduler: (any Scheduler)? = nil
  ) {
    (self.nameForm, self.trackRow, self.favorites) = (nameForm, trackRow, favorites)
    super.init(initialState: album, scheduler: scheduler)
  }

  // @Shared
  override func createSources() -> [Effect] {
    [favorites.asObservable().mutate { $0.favorites = $1 }]
  }

  override func child(for action: AlbumAction) -> ChildAction<AlbumAction, AlbumState>? {
    switch action {
    // Scope
    case .filter(let action): .init(FilterField(), action, at: \.filter, as: AlbumAction.filter)
    // ifLet, with the delegate actions as outputs
    case .form(let action):
      .init(nameForm, action, at: \.form, as: AlbumAction.form, output: AlbumAction.formDone)
    // forEach
    case .track(let id, let action): .init(trackRow, action, at: \.tracks, id: id, as: { .track(id, $0) })
    case .formDone, .favor: nil
    }
  }

  override func createObservable(_ action: AlbumAction) -> Effect {
    switch action {
    case .filter, .form, .track:
      return .handledByChild()
    // case .form(.presented(.delegate(.saved(let name))))
    case .formDone(.saved(let name)):
      return .mutate { album in
        album.name = name
        album.form = nil
      }
    // $favorites.withLock
    case .favor(let id):
      favorites.update { $0.insert(id) }
      return .unchanged()
    }
  }
}

// contract 2.17, 2.19
struct TCASnippetTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func anAlbumOfFeatures() throws {
    let (scheduler, favorites) = (TestScheduler(), MutableProperty<Set<Int>>([7]))
    let clock = scheduler.clock
    let viewModel = AlbumViewModel(
      AlbumState(form: NameForm.State(), tracks: [TrackRow.State(id: 1, title: "Sea")]), nameForm: NameForm { $0 },
      trackRow: TrackRow { _ in try await clock.sleep(for: .seconds(1)) }, favorites: favorites, scheduler: scheduler)
    #expect(viewModel.currentState.favorites == [7])
    try withTestStore(viewModel) { store in
      try store.send(.filter(.setText("s"))) { $0.filter.text = "s" }
      try store.send(.form(.setName("Rain"))) { $0.form?.name = "Rain" }
      try store.send(.form(.save)) {
        $0.name = "Rain"
        $0.form = nil
      }
      try store.send(.track(1, .download))
      try store.send(.favor(1)) { $0.favorites = [1, 7] }
      try store.advance(by: .seconds(1)) { $0.tracks[0].isDownloaded = true }
      favorites.update { $0.remove(7) }
      try store.advance { $0.favorites = [1] }
    }
  }
}
