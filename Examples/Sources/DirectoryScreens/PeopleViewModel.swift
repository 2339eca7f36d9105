import RxViewModel

public enum PeopleAction: Sendable, Equatable {
  /// The search field now holds this.
  case type(String)
  case reverse
  /// Show the people of a query from the first page on. The view model executes it itself, when the query has changed.
  case load(PeopleQuery)
  /// The end of the list is in sight; or the page that failed is wanted once more.
  case loadMore
  case update(Person)
  case open(Person.ID)
  /// Whether the sheet that adds a person is there.
  case setAdding(Bool)
  case newPerson(NewPerson.Action)
}

public struct PeopleState: Sendable, Equatable {
  public var text = ""
  public var isReversed = false
  public var people = Pages<PeopleQuery, Person, Int>()
  /// The sheet that adds a person. Nil while there is none.
  public var newPerson: NewPerson.State?

  /// What is searched for: nothing, which finds all people, below three letters.
  public var query: PeopleQuery {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    return PeopleQuery(words.joined().count < 3 ? [] : words, isReversed: isReversed)
  }

  /// The people by their letters.
  public var sections: [SectionModel<String, Person>] {
    people.items.reduce(into: []) { sections, person in
      if sections.last?.model != person.letter { sections.append(SectionModel(model: person.letter, items: [])) }
      sections[sections.count - 1].items.append(person)
    }
  }

  public var error: String? { people.error.map(message(of:)) }
}

/// In logs a few words stand for the people.
extension PeopleState: CustomReflectable {
  public var customMirror: Mirror {
    let summary = "\(people.items.count) from \(people.items.first?.name ?? "nobody") on"
    let children: KeyValuePairs<String, Any> = [
      "text": text, "isReversed": isReversed, "people": summary, "error": error as Any,
      "newPerson": newPerson as Any,
    ]
    return Mirror(self, children: children, displayStyle: .struct)
  }
}

/// The list of people: a search that waits for a pause in typing, pages, and a sheet that adds a person.
public final class PeopleViewModel: RxViewModel<PeopleAction, PeopleState>, @unchecked Sendable {
  private let service: any DirectoryService
  private let navigator: Navigator<DirectoryRoute>
  private let newPerson: NewPerson
  private let bag = DisposeBag()

  public init(
    service: any DirectoryService, navigator: Navigator<DirectoryRoute>, messages: PublishSubject<String>,
    scheduler: (any Scheduler)? = nil
  ) {
    self.service = service
    self.navigator = navigator
    newPerson = NewPerson(navigator: navigator) { person in
      let added = try await service.add(person)
      messages.onNext("\(added.name) has been added")
    }
    super.init(scheduler: scheduler)
    stateObservable.map(\.query).distinctUntilChanged().map(PeopleAction.load).execute(on: self).disposed(by: bag)
    service.changes.map(PeopleAction.update).execute(on: self).disposed(by: bag)
  }

  /// What the field of the sheet shows.
  public var newNickname: MutableProperty<String> {
    property {
      $0.newPerson?.person.nickname ?? ""
    } set: {
      .newPerson(.form(.setNickname($0)))
    }
  }

  override public func createInitialState() -> PeopleState { PeopleState() }

  override public func createObservable(_ action: PeopleAction) -> Observable<StateMapper<PeopleState>> {
    let service = service
    switch action {
    case .type(let text):
      return .mutate { $0.text = text }
    case .reverse:
      return .mutate { $0.isReversed.toggle() }
    case .load(let query):
      return .page(\.people, { $0.first(query) }, request: { request in .task { try await service.page(request) } })
    case .loadMore:
      return .page(\.people, { $0.next() }, request: { request in .task { try await service.page(request) } })
    case .update(let person):
      return .mutate { state in
        guard let index = state.people.items.firstIndex(where: { $0.id == person.id }) else { return }
        state.people.items[index] = person
      }
    case .open(let id):
      navigator.navigate(.person(id))
      return .unchanged()
    case .setAdding(let isAdding):
      return .mutate { $0.newPerson = isAdding ? NewPerson.State() : nil }
    case .newPerson(.add):
      // The person is in the directory: the sheet goes, and the list begins anew.
      return embed(newPerson, .add, at: \.newPerson).concat(.mutate { $0.newPerson = nil }).concat(
        .deferred { [weak self] in
          if let self { execute(.load(currentState.query)) }
          return .empty()
        })
    case .newPerson(let action):
      return embed(newPerson, action, at: \.newPerson)
    }
  }

  override public func showSpinner(_ action: PeopleAction) -> Bool {
    switch action {
    case .load, .loadMore: true
    case .newPerson(let action): newPerson.showSpinner(action)
    case .type, .reverse, .update, .open, .setAdding: false
    }
  }

  override public func stateMapper(for error: any Error, action: PeopleAction) -> StateMapper<PeopleState>? {
    guard case .newPerson = action else { return nil }
    return { state in
      var state = state
      state.newPerson?.error = message(of: error)
      return state
    }
  }

  /// Nothing is left to report: the state shows the error, and `loadMore` retries.
  override public func handleError(_ error: any Error, action: PeopleAction?) -> Bool { true }

  /// A new query cancels a page on its way, and no page is asked for during a search.
  override public func executionMode(for action: PeopleAction) -> ExecutionMode {
    switch action {
    // The pause is for words that are being typed; an empty field shows all people at once.
    case .load(let query) where query.words.isEmpty: .switchLatest("list")
    case .load: .switchLatest("list", after: .milliseconds(300))
    case .loadMore: .dropWhileBusy("list")
    case .newPerson(let action): newPerson.executionMode(for: action).within("new")
    case .type, .reverse, .update, .open, .setAdding: .parallel
    }
  }
}
