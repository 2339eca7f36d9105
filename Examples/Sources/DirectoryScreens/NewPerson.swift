import RxViewModel

/// The sheet that adds a person: a name, and the form of a person.
public struct NewPerson: Feature {
  public struct State: Sendable, Equatable {
    public var form = PersonForm.State(Person(id: 0, name: "", lastSeen: .zero))
    public var error: String?

    public init() {}

    public var canAdd: Bool { !form.person.name.allSatisfy(\.isWhitespace) }

    /// The person that the form describes.
    public var person: Person {
      var person = form.person
      person.nickname = form.nickname
      return person
    }
  }

  public enum Action: Sendable, Equatable {
    case setName(String)
    case form(PersonForm.Action)
    case add
  }

  let form: PersonForm
  let add: @Sendable (Person) async throws -> Void

  init(navigator: Navigator<DirectoryRoute>, add: @escaping @Sendable (Person) async throws -> Void) {
    // The service stores nothing before the person is added.
    form = PersonForm(navigator: navigator) { edit in .mutate { $0.person.apply(edit) } }
    self.add = add
  }

  public func createObservable(_ action: Action, state: State) -> Observable<StateMapper<State>> {
    switch action {
    case .setName(let name): .mutate { $0.form.person.name = name }
    case .form(let action): form.createObservable(action, state: state.form).lifted(to: \.form)
    case .add: Observable.task { try await add(state.person) }.mutate { state, _ in state.error = nil }
    }
  }

  public func executionMode(for action: Action) -> ExecutionMode {
    switch action {
    case .form(let action): form.executionMode(for: action)
    case .setName: .parallel
    // A double click adds one person.
    case .add: .dropWhileBusy("add")
    }
  }

  public func showSpinner(_ action: Action) -> Bool { action == .add }
}
