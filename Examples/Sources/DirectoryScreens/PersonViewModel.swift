import RxViewModel

public enum PersonAction: Sendable, Equatable {
  case load
  case form(PersonForm.Action)
  /// A second has passed while the screen was there.
  case tick
}

public struct PersonState: Sendable, Equatable {
  /// Nil until it has been loaded.
  public var person: Person?
  /// How many seconds ago the person was seen.
  public var secondsAgo: Int?
  public var error: String?

  public var nickname: String { person?.nickname ?? "" }
}

/// The details of a person.
public final class PersonViewModel: RxViewModel<PersonAction, PersonState>, @unchecked Sendable {
  private let id: Person.ID
  private let service: any DirectoryService
  private let form: PersonForm

  public init(
    id: Person.ID, service: any DirectoryService, navigator: Navigator<DirectoryRoute>,
    messages: PublishSubject<String>, scheduler: (any Scheduler)? = nil
  ) {
    self.id = id
    self.service = service
    form = PersonForm(navigator: navigator) { nickname in
      let person = try await service.setNickname(nickname, of: id)
      messages.onNext("Nickname saved")
      return person.nickname
    } setColor: { color in
      let person = try await service.setColor(color, of: id)
      messages.onNext("\(person.name) is \(person.color) now")
      return person.color
    }
    super.init(scheduler: scheduler)
    execute(.load)
  }

  /// What a field shows while the user edits it: what was typed last, until the service has it or has refused it.
  public var nickname: MutableProperty<String> { property(\.nickname) { .form(.setNickname($0)) } }

  override public func createInitialState() -> PersonState { PersonState() }

  override public func createObservable(_ action: PersonAction) -> Observable<StateMapper<PersonState>> {
    let (id, service) = (id, service)
    switch action {
    case .load:
      return Observable.task { try await service.person(id) }.mutate { state, answer in
        // What an edit has brought meanwhile is newer.
        let person = state.person ?? answer
        state.person = person
        state.secondsAgo = Int((service.now - person.lastSeen).components.seconds)
        state.error = nil
      }
    case .form(let action):
      // An edit that succeeds takes the error down.
      return embed(form, action, at: \.person).concat(.mutate { $0.error = nil })
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

  override public func showSpinner(_ action: PersonAction) -> Bool {
    switch action {
    case .load: true
    case .form(let action): form.showSpinner(action)
    case .tick: false
    }
  }

  override public func executionMode(for action: PersonAction) -> ExecutionMode {
    switch action {
    case .form(let action): form.executionMode(for: action)
    case .load, .tick: .parallel
    }
  }

  override public func stateMapper(for error: any Error, action: PersonAction) -> StateMapper<PersonState>? {
    { state in
      var state = state
      state.error = message(of: error)
      return state
    }
  }
}
