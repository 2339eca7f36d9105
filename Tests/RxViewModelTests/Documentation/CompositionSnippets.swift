// The code of the article on composition, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

import struct RxViewModel.Observable

// MARK: A form and an alert

/// The name of a playlist, as the user edits it.
struct NameForm: Feature {
  struct State: Sendable, Equatable {
    var name = ""
    var error: String?
  }

  enum Action: Sendable, Equatable {
    case setName(String)
    case save
  }

  /// What the form tells its parent.
  enum Output: Sendable, Equatable {
    case saved(String)
  }

  let save: @Sendable (String) async throws -> String

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Observable<StateMapper<State>> {
    switch action {
    case .setName(let name): .mutate { $0.name = name }
    case .save:
      Observable.task { [name = context.state.name] in try await save(name) }.mutate { _, saved in
        context.output(.saved(saved))
      }
    }
  }

  func executionMode(for action: Action) -> ExecutionMode { action == .save ? .dropWhileBusy : .parallel }

  func showSpinner(_ action: Action) -> Bool { action == .save }

  func stateMapper(for error: any Error, action: Action) -> StateMapper<State>? {
    { form in State(name: form.name, error: "\(error)") }
  }
}

/// The question whether a playlist is to be deleted.
struct DeletionAlert: Feature {
  struct State: Sendable, Equatable {
    let name: String
  }

  enum Action: Sendable, Equatable {
    case confirm
  }

  enum Output: Sendable, Equatable {
    case confirmed
  }

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Observable<StateMapper<State>> {
    context.output(.confirmed)
  }
}

// MARK: A row

struct TrackRow: Feature {
  struct State: Sendable, Equatable, Identifiable {
    let id: Int
    let title: String
    var isDownloaded = false
  }

  enum Action: Sendable, Equatable {
    case download
  }

  let download: @Sendable (State.ID) async throws -> Void

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Observable<StateMapper<State>> {
    switch action {
    case .download:
      Observable.task { [id = context.state.id] in try await download(id) }.mutate { row, _ in row.isDownloaded = true }
    }
  }

  func executionMode(for action: Action) -> ExecutionMode { .dropWhileBusy }
}

// MARK: The detail

struct Playlist: Feature {
  enum Destination: Sendable, Equatable {
    case rename(NameForm.State)
    case delete(DeletionAlert.State)

    var rename: NameForm.State? { if case .rename(let form) = self { form } else { nil } }
    var delete: DeletionAlert.State? { if case .delete(let alert) = self { alert } else { nil } }
  }

  struct State: Sendable, Equatable, Identifiable {
    let id: Int
    var name: String
    var tracks: [TrackRow.State] = []
    /// The sheet or the alert. Nil while there is neither.
    var destination: Destination?
  }

  enum Action: Sendable, Equatable {
    case showForm, showAlert, dismiss
    case form(NameForm.Action)
    case alert(DeletionAlert.Action)
    case track(TrackRow.State.ID, TrackRow.Action)
    case formDone(NameForm.Output)
    case alertDone(DeletionAlert.Output)
    case remove(TrackRow.State.ID)
  }

  enum Output: Sendable, Equatable {
    case renamed(State.ID, String)
    case deleted(State.ID)
  }

  let nameForm: NameForm
  let trackRow: TrackRow

  func child(for action: Action) -> ChildAction<Action, State>? {
    switch action {
    case .form(let action):
      .init(
        nameForm, action, at: \.destination, case: \.rename, Destination.rename, as: Action.form,
        output: Action.formDone)
    case .alert(let action):
      .init(
        DeletionAlert(), action, at: \.destination, case: \.delete, Destination.delete, as: Action.alert,
        output: Action.alertDone)
    case .track(let id, let action):
      .init(trackRow, action, at: \.tracks, id: id, as: { .track(id, $0) })
        .updating { playlist in playlist.tracks.sort { $0.isDownloaded && !$1.isDownloaded } }
    case .showForm, .showAlert, .dismiss, .formDone, .alertDone, .remove: nil
    }
  }

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Observable<StateMapper<State>> {
    switch action {
    case .form, .alert, .track: .handledByChild()
    case .showForm: .mutate { $0.destination = .rename(NameForm.State(name: $0.name)) }
    case .showAlert: .mutate { $0.destination = .delete(DeletionAlert.State(name: $0.name)) }
    case .dismiss: .mutate { $0.destination = nil }
    case .formDone(.saved(let name)):
      .mutate { playlist in
        playlist.name = name
        playlist.destination = nil
        context.output(.renamed(playlist.id, name))
      }
    case .alertDone(.confirmed): context.output(.deleted(context.state.id))
    case .remove(let id): .mutate { playlist in playlist.tracks.removeAll { $0.id == id } }
    }
  }
}

// MARK: The list

struct LibraryState: Sendable, Equatable {
  var names: [Int: String] = [:]
  /// The playlist that is open. Nil while the list is shown alone.
  var playlist: Playlist.State?
}

enum LibraryAction: Sendable, Equatable {
  case open(Playlist.State?)
  case playlist(Playlist.Action)
  case playlistDone(Playlist.Output)
  case add(String)
}

final class LibraryViewModel: RxViewModel<LibraryAction, LibraryState>, @unchecked Sendable {
  private let playlist: Playlist

  init(_ library: LibraryState, playlist: Playlist, scheduler: (any Scheduler)? = nil) {
    self.playlist = playlist
    super.init(initialState: library, scheduler: scheduler)
  }

  override func child(for action: LibraryAction) -> ChildAction<LibraryAction, LibraryState>? {
    guard case .playlist(let action) = action else { return nil }
    return .init(
      playlist, action, at: \.playlist, as: LibraryAction.playlist, output: LibraryAction.playlistDone)
  }

  override func createObservable(_ action: LibraryAction) -> Observable<StateMapper<LibraryState>> {
    switch action {
    case .playlist: .handledByChild()
    case .open(let playlist): .mutate { $0.playlist = playlist }
    case .playlistDone(.renamed(let id, let name)): .mutate { $0.names[id] = name }
    case .playlistDone(.deleted(let id)):
      .mutate { library in
        library.names[id] = nil
        library.playlist = nil
      }
    case .add(let name): .mutate { $0.names[$0.names.count] = name }
    }
  }
}

// MARK: A child with a view model of its own

/// A screen that makes a playlist: the form, in a view model of its own.
@MainActor
final class NewPlaylistScreen {
  let viewModel: FeatureViewModel<NameForm>
  private let bag = DisposeBag()

  init(for library: LibraryViewModel, save: @escaping @Sendable (String) async throws -> String) {
    viewModel = FeatureViewModel(NameForm(save: save), initialState: NameForm.State(), scheduler: MainScheduler())
    viewModel.outputs.map { output in
      switch output {
      case .saved(let name): LibraryAction.add(name)
      }
    }.execute(on: library).disposed(by: bag)
  }
}

// MARK: - Tests

// contract 2.19
@Suite struct CompositionSnippetTests {
  private let scheduler = TestScheduler()

  /// A library with an open playlist, whose requests take a second.
  private func makeLibrary() -> LibraryViewModel {
    let clock = scheduler.clock
    let nameForm = NameForm { name in
      try await clock.sleep(for: .seconds(1))
      return name.capitalized
    }
    let playlist = Playlist(nameForm: nameForm, trackRow: TrackRow { _ in try await clock.sleep(for: .seconds(1)) })
    let open = Playlist.State(
      id: 7, name: "Road", tracks: [TrackRow.State(id: 1, title: "Sea"), TrackRow.State(id: 2, title: "Sand")])
    return LibraryViewModel(LibraryState(names: [7: "Road"], playlist: open), playlist: playlist, scheduler: scheduler)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aPlaylistIsRenamedAndLosesATrack() throws {
    try withTestStore(makeLibrary()) { store in
      try store.send(.playlist(.showForm)) { $0.playlist?.destination = .rename(NameForm.State(name: "Road")) }
      try store.send(.playlist(.form(.setName("coast")))) {
        $0.playlist?.destination = .rename(NameForm.State(name: "coast"))
      }
      try store.send(.playlist(.form(.save)))
      // The user swipes the sheet down while the request runs.
      try store.send(.playlist(.dismiss)) { $0.playlist?.destination = nil }
      try store.expect(.cancelled, of: .playlist(.form(.save)))

      try store.send(.playlist(.showForm)) { $0.playlist?.destination = .rename(NameForm.State(name: "Road")) }
      try store.send(.playlist(.form(.setName("hills")))) {
        $0.playlist?.destination = .rename(NameForm.State(name: "hills"))
      }
      try store.send(.playlist(.form(.save)))
      try store.advance(by: .seconds(1)) {
        $0.playlist?.name = "Hills"
        $0.playlist?.destination = nil
      } _: {
        $0.names = [7: "Hills"]
      }

      try store.send(.playlist(.track(1, .download)))
      try store.send(.playlist(.track(2, .download)))
      try store.send(.playlist(.remove(1))) { $0.playlist?.tracks.removeFirst() }
      try store.expect(.cancelled, of: .playlist(.track(1, .download)))
      try store.advance(by: .seconds(1)) { $0.playlist?.tracks[0].isDownloaded = true }

      try store.send(.playlist(.showAlert)) { $0.playlist?.destination = .delete(DeletionAlert.State(name: "Hills")) }
      try store.send(.playlist(.alert(.confirm))) { $0 = LibraryState() }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aFormIsTestedAlone() throws {
    let viewModel = FeatureViewModel(
      NameForm { $0.capitalized }, initialState: NameForm.State(name: "coast"), scheduler: scheduler)
    let outputs = viewModel.outputs.test(scheduler)
    try scheduler.perform(.save, on: viewModel)
    scheduler.run()
    #expect(outputs.values == [.saved("Coast")])
  }

  // contract 2.19: each row has lanes of its own
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aSecondTapIsDroppedOnlyInItsOwnRow() {
    let viewModel = makeLibrary()
    let dropped = viewModel.executionObservable.filter { $0.phase == .dropped }.map(\.action).test(scheduler)
    viewModel.execute(.playlist(.track(2, .download)))
    viewModel.execute(.playlist(.track(1, .download)))
    viewModel.execute(.playlist(.track(2, .download)))
    scheduler.run()
    #expect(dropped.values == [.playlist(.track(2, .download))])
    #expect(viewModel.currentState.playlist?.tracks.map(\.isDownloaded) == [true, true])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func anErrorOfTheFormStaysInTheForm() {
    let viewModel = FeatureViewModel(
      NameForm { _ in throw TestError("taken") }, initialState: NameForm.State(name: "a"), scheduler: scheduler)
    #expect(throws: TestError.self) { try scheduler.perform(.save, on: viewModel) }
    #expect(viewModel.currentState == NameForm.State(name: "a", error: "taken"))
  }

  @MainActor @Test func aNewPlaylistIsAnActionOfTheLibrary() async throws {
    let playlist = Playlist(nameForm: NameForm { $0 }, trackRow: TrackRow { _ in })
    let library = LibraryViewModel(LibraryState(), playlist: playlist, scheduler: MainScheduler())
    let screen = NewPlaylistScreen(for: library) { $0 }
    screen.viewModel.execute(.setName("Rain"))
    try await screen.viewModel.perform(.save)
    let isAdded = await eventually { library.currentState.names == [0: "Rain"] }
    #expect(isAdded)
    withExtendedLifetime(screen) {}
  }
}

#if canImport(SwiftUI)
  import SwiftUI

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  struct NameFormView: View {
    let form: ViewModelSlice<NameForm.Action, NameForm.State>

    var body: some View {
      Form {
        TextField("Name", text: form.binding(\.name, set: NameForm.Action.setName))
        Button("Save") { form.execute(.save) }.disabled(form.observed.name.isEmpty)
      }
    }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  struct TrackRowView: View {
    let track: ViewModelSlice<TrackRow.Action, TrackRow.State>

    var body: some View {
      HStack {
        Text(track.observed.title)
        Button("Download") { track.execute(.download) }.disabled(track.observed.isDownloaded)
      }
    }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  struct PlaylistView: View {
    let playlist: ViewModelSlice<Playlist.Action, Playlist.State>

    var body: some View {
      Form {
        Text(playlist.observed.name)
        Button("Rename") { playlist.execute(.showForm) }
        List(playlist.observed.tracks) { track in
          if let row = playlist.slice(\.tracks, id: track.id, action: { .track(track.id, $0) }) {
            TrackRowView(track: row)
          }
        }
      }
      .sheet(isPresented: playlist.binding(\.isRenaming, set: { _ in .dismiss })) {
        if let form = playlist.slice(\.destination, case: \.rename, action: Playlist.Action.form) {
          NameFormView(form: form)
        }
      }
    }
  }
#endif

extension Playlist.State {
  var isRenaming: Bool { destination?.rename != nil }
}
