import RxViewModel

/// The sheet that adds a person: a name, and the form of a person.
public struct NewPerson: Feature {
  public struct State: Sendable, Equatable {
    public var person = Person(id: 0, name: "", lastSeen: .zero)
    public var error: String?

    public init() {}

    public var canAdd: Bool { !person.name.allSatisfy(\.isWhitespace) }
  }

  public enum Action: Sendable, Equatable {
    case setName(String)
    case form(PersonForm.Action)
    case add
  }

  let form: PersonForm
  let add: @Sendable (Person) async throws -> Void

  init(navigator: Navigator<DirectoryRoute>, add: @escaping @Sendable (Person) async throws -> Void) {
    // Nothing is stored before the person is added.
    form = PersonForm(navigator: navigator, setNickname: { $0 }, setColor: { $0 })
    self.add = add
  }

  public func createObservable(_ action: Action, state: State) -> Observable<StateMapper<State>> {
    switch action {
    case .setName(let name): .mutate { $0.person.name = name }
    case .form(let action): form.createObservable(action, state: state.person).lifted(to: \.person)
    case .add: Observable.task { try await add(state.person) }.mutate { state, _ in state.error = nil }
    }
  }

  /// Edits take their turn, without a pause, so that `add` comes after all of them.
  public func executionMode(for action: Action) -> ExecutionMode {
    switch action {
    case .form(.chooseColor): form.executionMode(for: .chooseColor)
    case .setName, .form(.setNickname), .add: .sequence("edits")
    }
  }

  public func showSpinner(_ action: Action) -> Bool { action == .add }
}
