import RxViewModel

/// The form of a person: the details of one who is in the directory, or of one who is being added.
public struct PersonForm: Feature {
  public enum Action: Sendable, Equatable {
    case setNickname(String)
    case chooseColor
  }

  let navigator: Navigator<DirectoryRoute>
  /// Stores an edit, and returns what has become of it.
  let setNickname: @Sendable (String) async throws -> String
  let setColor: @Sendable (PersonColor) async throws -> PersonColor

  public func createObservable(_ action: Action, state person: Person) -> Observable<StateMapper<Person>> {
    switch action {
    case .setNickname(let nickname):
      Observable.task { try await setNickname(nickname) }.mutate { $0.nickname = $1 }
    case .chooseColor:
      navigator.request { .pickColor(person.color, $0) }
        .flatMap { color in .task { try await setColor(color) } }.mutate { $0.color = $1 }
    }
  }

  public func executionMode(for action: Action) -> ExecutionMode {
    switch action {
    case .setNickname: .switchLatest("nickname", after: .milliseconds(300))
    case .chooseColor: .dropWhileBusy("color")
    }
  }

  public func showSpinner(_ action: Action) -> Bool { action != .chooseColor }
}
