// The views and tests of *Composing features*, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

import struct RxViewModel.Observable

@testable import TestSupport

// MARK: A child with a view model of its own

/// A screen that makes a playlist: the form, in a view model of its own.
@MainActor
final class NewPlaylistScreen {
  let viewModel: FeatureViewModel<NameForm>
  private let bag = DisposeBag()

  init(for library: LibraryViewModel, save: @escaping @Sendable (String) async throws -> String) {
    viewModel = FeatureViewModel(NameForm(save: save), initialState: NameForm.State(), scheduler: .main)
    viewModel.outputs.map { output in
      switch output {
      case .saved(let name): LibraryViewModel.Action.add(name)
      }
    }.execute(on: library).disposed(by: bag)
  }
}

// MARK: A login in front of the app

private struct Login: Feature {
  struct State: Sendable, Equatable {}
  enum Output: Sendable, Equatable { case signedIn(String) }

  func createObservable(_ name: String, context: FeatureContext<Self>) -> Observable<StateMapper<State>> {
    context.output(.signedIn(name))
  }
}

private struct Home: Feature {
  struct State: Sendable, Equatable { let user: String }
  enum Action: Sendable, Equatable { case follow, signOut }
  enum Output: Sendable, Equatable { case signedOut }

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
    action == .follow ? .never() : context.output(.signedOut)
  }
}

private struct Root: Feature {
  enum State: Sendable, Equatable {
    case login(Login.State)
    case home(Home.State)

    var login: Login.State? {
      get { if case .login(let login) = self { login } else { nil } }
      set { if let newValue { self = .login(newValue) } }
    }

    var home: Home.State? {
      get { if case .home(let home) = self { home } else { nil } }
      set { if let newValue { self = .home(newValue) } }
    }
  }

  enum Action: Sendable, Equatable {
    case login(Login.Action)
    case loginDone(Login.Output)
    case home(Home.Action)
    case homeDone(Home.Output)
  }

  func child(for action: Action) -> ChildAction<Action, State>? {
    switch action {
    case .login(let action):
      .init(Login(), action, at: \.login, as: Action.login, output: Action.loginDone)
    case .home(let action):
      .init(Home(), action, at: \.home, as: Action.home, output: Action.homeDone)
    case .loginDone, .homeDone: nil
    }
  }

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
    switch action {
    case .login, .home: .handledByChild()
    case .loginDone(.signedIn(let user)): .mutate { $0 = .home(Home.State(user: user)) }
    case .homeDone(.signedOut): .mutate { $0 = .login(Login.State()) }
    }
  }
}

// MARK: - Tests

// contract 2.19
struct CompositionSnippetTests {
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
    return LibraryViewModel(
      LibraryViewModel.State(names: [7: "Road"], playlist: open), playlist: playlist, scheduler: scheduler)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aPlaylistIsRenamedAndLosesATrack() throws {
    try withTestStore(makeLibrary()) { store in
      try store.send(.playlist(.showForm)) {
        $0.playlist?.formCount = 1
        $0.playlist?.destination = .rename(NameForm.State(id: 1, name: "Road"))
      }
      try store.send(.playlist(.form(.setName("coast")))) {
        $0.playlist?.destination = .rename(NameForm.State(id: 1, name: "coast"))
      }
      try store.send(.playlist(.form(.save)))
      // The user swipes the sheet down while the request is running.
      try store.send(.playlist(.dismiss)) { $0.playlist?.destination = nil }
      try store.expect(.cancelled, of: .playlist(.form(.save)))

      try store.send(.playlist(.showForm)) {
        $0.playlist?.formCount = 2
        $0.playlist?.destination = .rename(NameForm.State(id: 2, name: "Road"))
      }
      try store.send(.playlist(.form(.setName("hills")))) {
        $0.playlist?.destination = .rename(NameForm.State(id: 2, name: "hills"))
      }
      try store.send(.playlist(.form(.save)))
      try store.advance(by: .seconds(1)) {
        $0.playlist?.name = "Hills"
        $0.playlist?.destination = nil
      }
      try store.expect { $0.names = [7: "Hills"] }

      try store.send(.playlist(.track(1, .download)))
      try store.send(.playlist(.track(2, .download)))
      try store.send(.playlist(.remove(1))) { $0.playlist?.tracks.removeFirst() }
      try store.expect(.cancelled, of: .playlist(.track(1, .download)))
      try store.advance(by: .seconds(1)) { $0.playlist?.tracks[0].isDownloaded = true }

      try store.send(.playlist(.showAlert)) { $0.playlist?.destination = .delete(DeletionAlert.State(name: "Hills")) }
      try store.send(.playlist(.alert(.confirm))) { $0 = LibraryViewModel.State() }
    }
  }

  // contract 2.15
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aRetryOfAClosedSheetLeavesTheNextOneAlone() throws {
    let playlist = Playlist(nameForm: NameForm { _ in throw TestError("taken") }, trackRow: TrackRow { _ in })
    let library = LibraryViewModel(
      LibraryViewModel.State(playlist: Playlist.State(id: 7, name: "Road")), playlist: playlist, scheduler: scheduler)
    let failures = library.actionAndErrorObservable.test(scheduler)
    for action: Playlist.Action in [.showForm, .form(.save), .dismiss, .showForm] {
      library.execute(.playlist(action))
      scheduler.run()
    }
    try #require(failures.values.first).retry()
    scheduler.run()
    #expect(library.currentState.playlist?.destination == .rename(NameForm.State(id: 2, name: "Road")))
    #expect(failures.values.count == 1)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aLoginIsReplacedByTheApp() throws {
    let root = FeatureViewModel(Root(), initialState: .login(Login.State()), scheduler: scheduler)
    try withTestStore(root) { store in
      try store.send(.login("Ann")) { $0 = .home(Home.State(user: "Ann")) }
      try store.send(.home(.follow))
      try store.send(.home(.signOut)) { $0 = .login(Login.State()) }
      try store.expect(.cancelled, of: .home(.follow))
    }
    #expect(root.slice(\.login, Root.Action.login)?.currentState == Login.State())
    #expect(root.slice(\.home, Root.Action.home) == nil)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aFormIsTestedAlone() throws {
    let viewModel = FeatureViewModel(
      NameForm { $0.capitalized }, initialState: NameForm.State(name: "coast"), scheduler: scheduler)
    let outputs = viewModel.outputs.test(scheduler)
    try scheduler.perform(.save, on: viewModel)
    scheduler.run()
    #expect(outputs.values == [.saved("Coast")])
    let failing = FeatureViewModel(
      NameForm { _ in throw TestError("taken") }, initialState: NameForm.State(name: "a"), scheduler: scheduler)
    #expect(throws: TestError.self) { try scheduler.perform(.save, on: failing) }
    #expect(failing.currentState == NameForm.State(name: "a", error: "taken"))
  }

  @MainActor @Test func aNewPlaylistIsAnActionOfTheLibrary() async throws {
    let library = LibraryViewModel(server: LibraryServer(rename: { $0 }, download: { _ in }), scheduler: .main)
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
        Button("Save") { form.execute(.save) }.disabled(form.observed.name.isEmpty || form.activity.isLoading)
      }
    }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  struct TrackRowView: View {
    let title: String
    let isDownloaded: Bool
    let download: () -> Void

    var body: some View {
      HStack {
        Text(title)
        Button("Download") { download() }.disabled(isDownloaded)
      }
    }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  struct DownloadView: View {
    let track: ViewModelSlice<TrackRow.Action, TrackRow.State>

    var body: some View {
      HStack {
        TrackRowView(title: track.observed.title, isDownloaded: track.observed.isDownloaded) {
          track.execute(.download)
        }
        if track.activity.isLoading { ProgressView() }
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
          TrackRowView(title: track.title, isDownloaded: track.isDownloaded) {
            playlist.execute(.track(track.id, .download))
          }
        }
      }
      .sheet(item: playlist.binding(\.destination.rename, Playlist.Action.form, dismiss: .dismiss)) { form in
        NameFormView(form: form)
      }
    }
  }
#endif
