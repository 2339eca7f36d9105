import RxViewModel

/// The sheet that adds a person: a name, and the form of a person.
public struct NewPerson: Feature {
  public struct State: Sendable, Equatable, Codable {
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

  public enum Action: Sendable, Equatable, Codable {
    case setName(String)
    case form(PersonForm.Action)
    case add
  }

  public enum Output: Sendable, Equatable, Codable {
    case added
  }

  let form: PersonForm
  let add: @Sendable (Person) async throws -> Void

  init(navigator: Navigator<DirectoryRoute>, add: @escaping @Sendable (Person) async throws -> Void) {
    // The service stores nothing before the person is added.
    form = PersonForm(navigator: navigator) { edit in .mutate { $0.person.apply(edit) } }
    self.add = add
  }

  public func child(for action: Action) -> ChildAction<Action, State>? {
    guard case .form(let action) = action else { return nil }
    return .init(form, action, at: \.form, as: Action.form)
  }

  public func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
    switch action {
    case .form: .handledByChild()
    case .setName(let name): .mutate { $0.form.person.name = name }
    case .add:
      Observable.task { [person = context.state.person] in try await add(person) }.mutate { state, _ in
        state.error = nil
        context.output(.added)
      }
    }
  }

  /// A double click adds one person.
  public func executionMode(for action: Action) -> ExecutionMode { action == .add ? .dropWhileBusy : .parallel }

  public func showSpinner(_ action: Action) -> Bool { action == .add }

  public func stateMapper(for error: any Error, action: Action) -> StateMapper<State>? {
    mutate { $0.error = message(of: error) }
  }
}
