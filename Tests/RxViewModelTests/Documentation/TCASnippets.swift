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

  func createObservable(_ action: Action, state: State) -> Observable<StateMapper<State>> {
    switch action {
    case .setText(let text): .mutate { $0.text = text }
    }
  }
}

struct AlbumState: Sendable, Equatable {
  var name = ""
  var filter = FilterField.State()
  var form: NameForm.State?
  var tracks: [TrackRow.State] = []
  var favorites: Set<TrackRow.State.ID> = []
}

enum AlbumAction: Sendable, Equatable {
  case filter(FilterField.Action)
  case form(NameForm.Action)
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
  override func createSources() -> [Observable<StateMapper<AlbumState>>] {
    [favorites.asObservable().mutate { $0.favorites = $1 }]
  }

  override func createObservable(_ action: AlbumAction) -> Observable<StateMapper<AlbumState>> {
    switch action {
    // Scope
    case .filter(let action):
      return embed(FilterField(), action, at: \.filter)
    // A delegate message
    case .form(.save):
      return embed(nameForm, .save, at: \.form).concat(
        .mutate { state in
          state.name = state.form?.saved ?? state.name
          state.form = nil
        })
    // ifLet
    case .form(let action):
      return embed(nameForm, action, at: \.form)
    // forEach
    case .track(let id, let action):
      return embed(trackRow, action, at: \.tracks, id: id)
    // $favorites.withLock
    case .favor(let id):
      favorites.update { $0.insert(id) }
      return .unchanged()
    }
  }

  override func executionMode(for action: AlbumAction) -> ExecutionMode {
    switch action {
    case .form(let action): nameForm.executionMode(for: action).within("form")
    case .track(let id, let action): trackRow.executionMode(for: action).within("track \(id)")
    case .filter, .favor: .parallel
    }
  }
}

// contract 2.17, 2.19
@Suite struct TCASnippetTests {
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
        $0.form?.saved = "Rain"
      } _: {
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
