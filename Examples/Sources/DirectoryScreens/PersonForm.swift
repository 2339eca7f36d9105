import RxViewModel

/// The form of a person: the details of one who is in the directory, or of one who is being added.
public struct PersonForm: Feature {
  public struct State: Sendable, Equatable, Codable {
    /// The person as the service has stored it, or as it will be added.
    public var person: Person
    /// The text that the nickname field shows instead of the stored nickname.
    var draft: Draft? { didSet { if let draft, draft.isStored, draft.isLeft { self.draft = nil } } }
    var nicknameError: String?
    var colorError: String?

    public var nickname: String { draft?.text ?? person.nickname }
    /// The error of an edit that is not stored. It stays until that edit, or a later one of its kind, has been stored.
    public var error: String? { nicknameError ?? colorError }

    public init(_ person: Person) {
      self.person = person
    }
  }

  /// The text of a field, as typed. It stays until the service has stored it and the user has left the field. So the text does not change
  /// while the user types.
  struct Draft: Sendable, Equatable, Codable {
    let text: String
    var isStored = false
    var isLeft = false
  }

  public enum Action: Sendable, Equatable, Codable {
    case setNickname(String)
    /// The user has paused. The form executes this itself.
    case pause
    /// The user has left the nickname field.
    case endEditing
    /// Saves the text of the nickname field, unless it is stored. The form executes this itself.
    case save
    case chooseColor
    /// Tries again what has failed.
    case retry
  }

  let navigator: Navigator<DirectoryRoute>
  let save: @Sendable (Person.Edit) -> Effect

  public func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
    switch action {
    case .setNickname(let text):
      .mutate { $0.draft = Draft(text: text) }.then(.pause, on: context)
    case .pause:
      context.execute(.save)
    case .endEditing:
      .mutate { $0.draft?.isLeft = true }.then(.save, on: context)
    case .save:
      saveNickname(context.state)
    case .chooseColor:
      navigator.request { .pickColor(context.state.person.color, $0) }.flatMap { save(.color($0)) }
        .concat(.mutate { $0.colorError = nil })
    case .retry:
      // No action carries its text, so a retry saves the text that the field shows now, and only if it is not stored.
      if context.state.nicknameError != nil {
        context.execute(.save)
      } else if context.state.colorError != nil {
        context.execute(.chooseColor)
      } else {
        .empty()
      }
    }
  }

  /// A write waits for the write before it, and does not cancel it. So the last text wins, and each write is acknowledged.
  public func executionMode(for action: Action) -> ExecutionMode {
    switch action {
    case .setNickname, .endEditing, .retry: .parallel
    case .pause: .switchLatest("pause", after: .milliseconds(300))
    case .save: .sequence("nickname")
    case .chooseColor: .dropWhileBusy("color")
    }
  }

  public func showSpinner(_ action: Action) -> Bool { action == .save }

  public func stateMapper(for error: any Error, action: Action) -> StateMapper<State>? {
    mutate { state in
      if action == .chooseColor {
        state.colorError = message(of: error)
      } else {
        state.nicknameError = message(of: error)
      }
    }
  }

  private func saveNickname(_ state: State) -> Effect {
    guard let draft = state.draft, !draft.isStored else { return .empty() }
    return save(.nickname(draft.text)).concat(
      .mutate { state in
        state.nicknameError = nil
        if state.draft?.text == draft.text { state.draft?.isStored = true }
      })
  }
}
