import RxViewModel

public enum PersonAction: Sendable, Equatable, Codable {
  case load
  case form(PersonForm.Action)
  /// Tries again what has failed.
  case retry
  /// The screen is resumed, or another second has passed since.
  case tick
}

public struct PersonState: Sendable, Equatable, Codable {
  /// Nil until the person has been loaded.
  public var form: PersonForm.State?
  /// How many seconds ago the person was seen.
  public var secondsAgo: Int?
  public var loadError: String?

  public var person: Person? { form?.person }
  public var nickname: String { form?.nickname ?? "" }
  public var error: String? { loadError ?? form?.error }

  /// Shows the person as the service has stored it. The text that the user is typing stays.
  public mutating func show(_ person: Person) {
    var form = form ?? PersonForm.State(person)
    form.person = person
    self.form = form
  }
}

/// The details of a person.
// Sendable: it stores only `let`s.
public final class PersonViewModel: RxViewModel<PersonAction, PersonState>, @unchecked Sendable {
  private let id: Person.ID
  private let service: any DirectoryService
  private let form: PersonForm

  public init(
    id: Person.ID, service: any DirectoryService, navigator: Navigator<DirectoryRoute>, messages: Messages,
    scheduler: (any Scheduler)? = nil
  ) {
    self.id = id
    self.service = service
    form = PersonForm(navigator: navigator) { edit in
      let saved = Observable<Void>.task {
        let person = try await service.save(edit, of: id)
        switch edit {
        case .nickname: messages.send("Nickname saved")
        case .color: messages.send("\(person.name) is now \(person.color)")
        }
      }
      // The write continues if the user leaves the screen. The source sends the stored person before the write ends.
      return saved.continuesAfterDispose().ignoreElements()
    }
    super.init(scheduler: scheduler)
    execute(.load)
  }

  /// The text of the nickname field: as the user types it, and then as the service has stored it.
  public var nickname: MutableProperty<String> { property(\.nickname) { .form(.setNickname($0)) } }

  override public func createInitialState() -> PersonState { PersonState() }

  /// Edits that the service stores, whichever tab makes them.
  override public func createSources() -> [Effect] {
    let id = id
    return [service.edited.compactMap { $0[id] }.distinctUntilChanged().mutate { $0.show($1) }]
  }

  override public func child(for action: PersonAction) -> ChildAction<PersonAction, PersonState>? {
    guard case .form(let action) = action else { return nil }
    return .init(form, action, at: \.form, as: PersonAction.form)
  }

  override public func createObservable(_ action: PersonAction) -> Effect {
    let (id, service) = (id, service)
    switch action {
    case .load:
      return Observable.task { try await service.person(id) }.mutate { state, answer in
        // A person that the source has sent meanwhile is newer.
        let person = state.person ?? answer
        state.show(person)
        state.secondsAgo = Int((service.now - person.lastSeen).components.seconds)
        state.loadError = nil
      }
    case .form:
      return .handledByChild()
    case .retry:
      return .empty().then(currentState.loadError == nil ? .form(.retry) : .load, on: self)
    case .tick:
      return .mutate { state in
        state.secondsAgo = state.person.map { Int((service.now - $0.lastSeen).components.seconds) }
      }
    }
  }

  override public func onResume(_ scope: DisposeBag) {
    Observable<Int>.interval(.seconds(1), scheduler: scheduler).map { _ in .tick }.startWith(.tick)
      .execute(on: self).disposed(by: scope)
  }

  override public func showSpinner(_ action: PersonAction) -> Bool { action == .load }

  override public func executionMode(for action: PersonAction) -> ExecutionMode {
    action == .load ? .switchLatest : .parallel
  }

  override public func stateMapper(for error: any Error, action: PersonAction) -> StateMapper<PersonState>? {
    guard action == .load else { return nil }
    return mutate { $0.loadError = message(of: error) }
  }

  /// The state shows the errors of the service.
  override public func handleError(_ error: any Error, action: PersonAction?) -> Bool { error is DirectoryError }
}
