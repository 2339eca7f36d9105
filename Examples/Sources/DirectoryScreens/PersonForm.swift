import RxViewModel

/// The form of a person: the details of one who is in the directory, or of one who is being added.
public struct PersonForm: Feature {
  public struct State: Sendable, Equatable {
    /// The person as the service has stored it, or as it will be added.
    public var person: Person
    /// The text that the nickname field shows instead of the stored nickname.
    var draft: Draft?

    public var nickname: String { draft?.text ?? person.nickname }

    public init(_ person: Person) {
      self.person = person
    }
  }

  /// The text of a field, as typed. The service's version replaces it when the service has stored it and the user has left the field. So
  /// the text does not change while the user types.
  enum Draft: Sendable, Equatable {
    case typed(String)
    /// The service has the text, and the user is still in the field.
    case saved(String)
    /// The user has left the field, and the service does not have the text yet.
    case left(String)

    var text: String {
      switch self {
      case .typed(let text), .saved(let text), .left(let text): text
      }
    }

    /// The text, if the service does not have it.
    var unsaved: String? { self == .saved(text) ? nil : text }
  }

  public enum Action: Sendable, Equatable {
    case setNickname(String)
    /// The user has left the nickname field.
    case endEditing
    /// The view model of a screen that saves each edit executes this.
    case saveNickname(String)
    case chooseColor
  }

  public enum Output: Sendable, Equatable {
    /// An edit has been saved.
    case saved
  }

  let navigator: Navigator<DirectoryRoute>
  let save: @Sendable (Person.Edit) -> Observable<StateMapper<State>>

  public func createObservable(_ action: Action, context: FeatureContext<Self>) -> Observable<StateMapper<State>> {
    switch action {
    case .setNickname(let text):
      .mutate { $0.draft = .typed(text) }
    case .endEditing:
      .mutate { state in
        switch state.draft {
        case .typed(let text): state.draft = .left(text)
        case .saved: state.draft = nil
        case .left, nil: break
        }
      }
    case .saveNickname(let text):
      save(.nickname(text)).concat(
        .mutate { state in
          if state.draft == .typed(text) { state.draft = .saved(text) }
          if state.draft == .left(text) { state.draft = nil }
          context.output(.saved)
        })
    case .chooseColor:
      navigator.request { .pickColor(context.state.person.color, $0) }.flatMap { save(.color($0)) }
        .concat(.mutate { _ in context.output(.saved) })
    }
  }

  /// A write waits for the write before it, and does not cancel it. So the last text wins, and each write is acknowledged.
  public func executionMode(for action: Action) -> ExecutionMode {
    switch action {
    case .setNickname, .endEditing: .parallel
    case .saveNickname: .sequence("nickname")
    case .chooseColor: .dropWhileBusy("color")
    }
  }

  public func showSpinner(_ action: Action) -> Bool {
    if case .saveNickname = action { true } else { false }
  }
}
