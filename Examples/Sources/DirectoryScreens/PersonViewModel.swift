import RxViewModel

public enum PersonAction: Sendable, Equatable {
  case load
  case setNickname(String)
  case chooseColor
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
  private let navigator: Navigator<DirectoryRoute>
  private let messages: PublishSubject<String>

  public init(
    id: Person.ID, service: any DirectoryService, navigator: Navigator<DirectoryRoute>,
    messages: PublishSubject<String>, scheduler: (any Scheduler)? = nil
  ) {
    self.id = id
    self.service = service
    self.navigator = navigator
    self.messages = messages
    super.init(scheduler: scheduler)
    execute(.load)
  }

  /// What a field shows while the user edits it: what was typed last, until the service has it or has refused it.
  public var nickname: MutableProperty<String> { property(\.nickname, set: PersonAction.setNickname) }

  override public func createInitialState() -> PersonState { PersonState() }

  override public func createObservable(_ action: PersonAction) -> Observable<StateMapper<PersonState>> {
    let (id, service, messages) = (id, service, messages)
    switch action {
    case .load:
      // What an edit has brought meanwhile is newer.
      return show(.task { try await service.person(id) }) { _, _ in }
    case .setNickname(let nickname):
      let saved = Observable.task { try await service.setNickname(nickname, of: id) }
        .do(onNext: { _ in messages.onNext("Nickname saved") })
      return show(saved) { $0.nickname = $1.nickname }
    case .chooseColor:
      guard let person = currentState.person else { return .unchanged() }
      let chosen = navigator.request { .pickColor(person.color, $0) }
      let saved = chosen.flatMap { color in .task { try await service.setColor(color, of: id) } }
        .do(onNext: { (person: Person) in messages.onNext("\(person.name) is \(person.color) now") })
      return show(saved) { $0.color = $1.color }
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
    case .load, .setNickname: true
    case .chooseColor, .tick: false
    }
  }

  override public func executionMode(for action: PersonAction) -> ExecutionMode {
    switch action {
    case .setNickname: .switchLatest("nickname", after: .milliseconds(300))
    case .chooseColor: .dropWhileBusy("color")
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

  /// Puts the service's answer into the state: the whole person, or, if there is one already, the part that the call has changed.
  ///
  /// Answers may come in another order than the service has made the changes, so the rest of an answer may be out of date.
  private func show(
    _ answer: Observable<Person>, _ change: @escaping @Sendable (inout Person, _ answer: Person) -> Void
  ) -> Observable<StateMapper<PersonState>> {
    answer.mutate { [service] state, answer in
      var person = state.person ?? answer
      change(&person, answer)
      state.person = person
      state.secondsAgo = Int((service.now - person.lastSeen).components.seconds)
      state.error = nil
    }
  }
}
