// The code of the article on composition, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

import struct RxViewModel.Observable

// MARK: A form

/// The name of a playlist, as the user edits it.
struct NameForm: Feature {
  struct State: Sendable, Equatable {
    var name = ""
    /// The name as the service has stored it.
    var saved: String?
  }

  enum Action: Sendable, Equatable {
    case setName(String)
    case save
  }

  let save: @Sendable (String) async throws -> String

  func createObservable(_ action: Action, state: State) -> Observable<StateMapper<State>> {
    switch action {
    case .setName(let name): .mutate { $0.name = name }
    case .save: Observable.task { try await save(state.name) }.mutate { $0.saved = $1 }
    }
  }

  func executionMode(for action: Action) -> ExecutionMode { action == .save ? .dropWhileBusy : .parallel }

  func showSpinner(_ action: Action) -> Bool { action == .save }
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

  func createObservable(_ action: Action, state: State) -> Observable<StateMapper<State>> {
    switch action {
    case .download: Observable.task { try await download(state.id) }.mutate { row, _ in row.isDownloaded = true }
    }
  }

  func executionMode(for action: Action) -> ExecutionMode { .dropWhileBusy }
}

// MARK: The screen

struct PlaylistState: Sendable, Equatable {
  var name: String
  /// The form in the sheet. Nil while there is no sheet.
  var form: NameForm.State?
  var tracks: [TrackRow.State]

  var isRenaming: Bool { form != nil }
}

enum PlaylistAction: Sendable, Equatable {
  case setRenaming(Bool)
  case form(NameForm.Action)
  case track(TrackRow.State.ID, TrackRow.Action)
  case remove(TrackRow.State.ID)
}

final class PlaylistViewModel: RxViewModel<PlaylistAction, PlaylistState>, @unchecked Sendable {
  private let nameForm: NameForm
  private let trackRow: TrackRow

  init(_ playlist: PlaylistState, nameForm: NameForm, trackRow: TrackRow, scheduler: (any Scheduler)? = nil) {
    (self.nameForm, self.trackRow) = (nameForm, trackRow)
    super.init(initialState: playlist, scheduler: scheduler)
  }

  override func createObservable(_ action: PlaylistAction) -> Observable<StateMapper<PlaylistState>> {
    switch action {
    case .setRenaming(let isRenaming):
      .mutate { $0.form = isRenaming ? NameForm.State(name: $0.name) : nil }
    case .form(.save):
      embed(nameForm, .save, at: \.form).concat(
        .mutate { state in
          // The form has been saved: its name is the playlist's, and the sheet goes.
          state.name = state.form?.saved ?? state.name
          state.form = nil
        })
    case .form(let action):
      embed(nameForm, action, at: \.form)
    case .track(let id, let action):
      embed(trackRow, action, at: \.tracks, id: id)
    case .remove(let id):
      .mutate { state in state.tracks.removeAll { $0.id == id } }
    }
  }

  override func executionMode(for action: PlaylistAction) -> ExecutionMode {
    switch action {
    case .form(let action): nameForm.executionMode(for: action).within("form")
    case .track(let id, let action): trackRow.executionMode(for: action).within("row \(id)")
    case .setRenaming, .remove: .parallel
    }
  }

  override func showSpinner(_ action: PlaylistAction) -> Bool {
    if case .form(let action) = action { nameForm.showSpinner(action) } else { false }
  }
}

// MARK: A child with a view model of its own

enum LibraryAction: Sendable, Equatable {
  case add(String)
}

final class LibraryViewModel: RxViewModel<LibraryAction, [String]>, @unchecked Sendable {
  override func createInitialState() -> [String] { [] }

  override func createObservable(_ action: LibraryAction) -> Observable<StateMapper<[String]>> {
    switch action {
    case .add(let name): .mutate { $0.append(name) }
    }
  }
}

/// A screen that makes a playlist: the form, in a view model of its own.
@MainActor
final class NewPlaylistScreen {
  let viewModel: FeatureViewModel<NameForm>
  private let bag = DisposeBag()

  init(for library: LibraryViewModel, save: @escaping @Sendable (String) async throws -> String) {
    viewModel = FeatureViewModel(NameForm(save: save), initialState: NameForm.State(), scheduler: MainScheduler())
    viewModel.stateObservable.compactMap(\.saved).distinctUntilChanged()
      .map { LibraryAction.add($0) }.execute(on: library).disposed(by: bag)
  }
}

/// The form of a new playlist, which tells the library itself what it has saved.
func newPlaylistForm(
  for library: LibraryViewModel, save: @escaping @Sendable (String) async throws -> String
) -> NameForm {
  NameForm { [weak library] name in
    let saved = try await save(name)
    library?.execute(.add(saved))
    return saved
  }
}

// MARK: - Tests

// contract 2.19
@Suite struct CompositionSnippetTests {
  private let scheduler = TestScheduler()

  /// A playlist whose requests take a second.
  private func makePlaylist() -> PlaylistViewModel {
    let clock = scheduler.clock
    let nameForm = NameForm { name in
      try await clock.sleep(for: .seconds(1))
      return name.capitalized
    }
    return PlaylistViewModel(
      PlaylistState(
        name: "Road", tracks: [TrackRow.State(id: 1, title: "Sea"), TrackRow.State(id: 2, title: "Sand")]),
      nameForm: nameForm, trackRow: TrackRow { _ in try await clock.sleep(for: .seconds(1)) }, scheduler: scheduler)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aPlaylistIsRenamedAndLosesATrack() throws {
    try withTestStore(makePlaylist()) { store in
      try store.send(.setRenaming(true)) { $0.form = NameForm.State(name: "Road") }
      try store.send(.form(.setName("coast"))) { $0.form?.name = "coast" }
      try store.send(.form(.save))
      // The user swipes the sheet down while the request runs.
      try store.send(.setRenaming(false)) { $0.form = nil }
      try store.expect(.cancelled, of: .form(.save))

      try store.send(.setRenaming(true)) { $0.form = NameForm.State(name: "Road") }
      try store.send(.form(.setName("hills"))) { $0.form?.name = "hills" }
      try store.send(.form(.save))
      try store.advance(by: .seconds(1)) {
        $0.form?.saved = "Hills"
      } _: {
        $0.name = "Hills"
        $0.form = nil
      }

      try store.send(.track(1, .download))
      try store.send(.track(2, .download))
      try store.send(.remove(1)) { $0.tracks.removeFirst() }
      try store.expect(.cancelled, of: .track(1, .download))
      try store.advance(by: .seconds(1)) { $0.tracks[0].isDownloaded = true }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aFormIsTestedAlone() throws {
    let viewModel = FeatureViewModel(
      NameForm { $0.capitalized }, initialState: NameForm.State(name: "coast"), scheduler: scheduler)
    #expect(try scheduler.perform(.save, on: viewModel).saved == "Coast")
  }

  // contract 2.19: each row has a lane of its own
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aSecondTapIsDroppedOnlyInItsOwnRow() {
    let viewModel = makePlaylist()
    let dropped = viewModel.executionObservable.filter { $0.phase == .dropped }.map(\.action).test(scheduler)
    viewModel.execute(.track(1, .download))
    viewModel.execute(.track(2, .download))
    viewModel.execute(.track(1, .download))
    scheduler.run()
    #expect(dropped.values == [.track(1, .download)])
    #expect(viewModel.currentState.tracks.map(\.isDownloaded) == [true, true])
  }

  @MainActor @Test func aNewPlaylistIsAnActionOfTheLibrary() async throws {
    let library = LibraryViewModel(scheduler: MainScheduler())
    let screen = NewPlaylistScreen(for: library) { $0 }
    screen.viewModel.execute(.setName("Rain"))
    try await screen.viewModel.perform(.save)
    #expect(library.currentState == ["Rain"])
    withExtendedLifetime(screen) {}
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aFormThatExecutesTheActionOfTheLibraryItself() throws {
    let library = LibraryViewModel(scheduler: scheduler)
    let viewModel = FeatureViewModel(
      newPlaylistForm(for: library) { $0 }, initialState: NameForm.State(name: "Rain"), scheduler: scheduler)
    try scheduler.perform(.save, on: viewModel)
    scheduler.run()
    #expect(library.currentState == ["Rain"])
    withExtendedLifetime(library) {}
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
    let viewModel: PlaylistViewModel

    var body: some View {
      Form {
        Text(viewModel.observed.name)
        Button("Rename") { viewModel.execute(.setRenaming(true)) }
        List(viewModel.observed.tracks) { track in
          if let row = viewModel.slice(\.tracks, id: track.id, action: { .track(track.id, $0) }) {
            TrackRowView(track: row)
          }
        }
      }
      .sheet(isPresented: viewModel.binding(\.isRenaming, set: PlaylistAction.setRenaming)) {
        if let form = viewModel.slice(presenting: \.form, action: PlaylistAction.form) {
          NameFormView(form: form)
        }
      }
    }
  }
#endif
