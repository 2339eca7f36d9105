// The features of *Composing features*, word for word. `SnippetTests` compares the two.
import RxViewModel

import struct RxViewModel.Observable

// MARK: A form and an alert

/// A form for editing a playlist's name.
struct NameForm: Feature {
  struct State: Sendable, Equatable, Identifiable {
    /// Different for each presentation.
    var id = 0
    var name = ""
    var error: String?
  }

  enum Action: Sendable, Equatable {
    case setName(String)
    case save
  }

  /// A message from the form to its parent.
  enum Output: Sendable, Equatable {
    case saved(String)
  }

  let save: @Sendable (String) async throws -> String

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
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
    mutate { $0.error = "\(error)" }
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

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
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

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
    switch action {
    case .download:
      Observable.task { [id = context.state.id] in try await download(id) }.mutate { row, _ in row.isDownloaded = true }
    }
  }

  func executionMode(for action: Action) -> ExecutionMode { .dropWhileBusy }

  func showSpinner(_ action: Action) -> Bool { true }
}

// MARK: The detail

struct Playlist: Feature {
  enum Destination: Sendable, Equatable {
    case rename(NameForm.State)
    case delete(DeletionAlert.State)
  }

  struct State: Sendable, Equatable, Identifiable {
    let id: Int
    var name: String
    var tracks: [TrackRow.State] = []
    /// The sheet or the alert. Nil when neither is shown.
    var destination: Destination?
    var formCount = 0
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
      .init(nameForm, action, at: \.destination.rename, as: Action.form, output: Action.formDone)
    case .alert(let action):
      .init(DeletionAlert(), action, at: \.destination.delete, as: Action.alert, output: Action.alertDone)
    case .track(let id, let action):
      .init(trackRow, action, at: \.tracks, id: id, as: { .track(id, $0) })
        .updating { playlist in playlist.tracks.sort { $0.isDownloaded && !$1.isDownloaded } }
    case .showForm, .showAlert, .dismiss, .formDone, .alertDone, .remove: nil
    }
  }

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
    switch action {
    case .form, .alert, .track: .handledByChild()
    case .showForm:
      .mutate { playlist in
        playlist.formCount += 1
        playlist.destination = .rename(NameForm.State(id: playlist.formCount, name: playlist.name))
      }
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

nonisolated extension Playlist.Destination? {
  var rename: NameForm.State? {
    get { if case .rename(let form) = self { form } else { nil } }
    set { if let newValue { self = .rename(newValue) } }
  }

  var delete: DeletionAlert.State? {
    get { if case .delete(let alert) = self { alert } else { nil } }
    set { if let newValue { self = .delete(newValue) } }
  }
}

// MARK: The list

final class LibraryViewModel: RxViewModel<LibraryViewModel.Action, LibraryViewModel.State>, @unchecked Sendable {
  enum Action: Sendable, Equatable {
    case open(Playlist.State?)
    case playlist(Playlist.Action)
    case playlistDone(Playlist.Output)
    case add(String)
  }

  struct State: Sendable, Equatable {
    var names: [Int: String] = [:]
    /// The playlist that is open. Nil while the list is shown alone.
    var playlist: Playlist.State?
  }

  private let playlist: Playlist

  init(_ library: State, playlist: Playlist, scheduler: (any Scheduler)? = nil) {
    self.playlist = playlist
    super.init(initialState: library, scheduler: scheduler)
  }

  override func child(for action: Action) -> ChildAction<Action, State>? {
    guard case .playlist(let action) = action else { return nil }
    return .init(
      playlist, action, at: \.playlist, as: Action.playlist, output: Action.playlistDone)
  }

  override func createObservable(_ action: Action) -> Effect {
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

// MARK: A service for a deeply nested feature

nonisolated struct LibraryServer: Sendable {
  let rename: @Sendable (String) async throws -> String
  let download: @Sendable (Int) async throws -> Void
}

nonisolated extension LibraryViewModel {
  convenience init(server: LibraryServer, scheduler: (any Scheduler)? = nil) {
    let playlist = Playlist(nameForm: NameForm(save: server.rename), trackRow: TrackRow(download: server.download))
    self.init(State(), playlist: playlist, scheduler: scheduler)
  }
}
