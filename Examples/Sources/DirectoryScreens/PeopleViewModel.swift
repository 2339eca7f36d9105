import RxViewModel

public enum PeopleAction: Sendable, Equatable, Codable {
  /// The text in the search field has changed.
  case type(String)
  case reverse
  /// Loads the first page of a query. The view model executes it itself, when the query has changed.
  case load(PeopleQuery)
  /// Loads the people of the list again, if a person has been added since. The view model executes it itself.
  case reload
  /// Loads the next page, or the page that has failed.
  case loadMore
  case open(Person.ID)
  /// Opens or closes the sheet that adds a person.
  case setAdding(Bool)
  case newPerson(NewPerson.Action)
  case newPersonDone(NewPerson.Output)
}

public struct PeopleState: Sendable, Equatable {
  public var text = ""
  public var isReversed = false
  public var people = Pages<PeopleQuery, Person, Person.ID>()
  /// The people who have been edited, in any tab: newer than those in the pages.
  public var edited: [Person.ID: Person] = [:]
  /// The number of people in the directory when the list was requested.
  var listed = 0
  /// The sheet that adds a person. Nil while it is closed.
  public var newPerson: NewPerson.State?

  /// The query of the search field. A text of fewer than three letters finds all people.
  public var query: PeopleQuery {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    return PeopleQuery(words.joined().count < 3 ? [] : words, isReversed: isReversed)
  }

  /// The people of the list as they are now.
  public var shown: [Person] { people.items.map { edited[$0.id] ?? $0 } }

  public var error: String? { people.error.map(message(of:)) }
}

extension [Person] {
  /// A section for each letter.
  public var sections: [SectionModel<String, Person>] {
    reduce(into: []) { sections, person in
      if sections.last?.model != person.letter { sections.append(SectionModel(model: person.letter, items: [])) }
      sections[sections.count - 1].items.append(person)
    }
  }
}

/// A recording may begin with this state. `Pages` is not `Codable`, so its people are written as one page, with the error that it shows.
extension PeopleState: Codable {
  private struct Coded: Codable {
    let text: String
    let isReversed: Bool
    let people: Page<Person, Person.ID>?
    let error: DirectoryError?
    let edited: [Person.ID: Person]
    let listed: Int
    let newPerson: NewPerson.State?
  }

  public init(from decoder: any Decoder) throws {
    let coded = try Coded(from: decoder)
    (text, isReversed, edited) = (coded.text, coded.isReversed, coded.edited)
    (listed, newPerson) = (coded.listed, coded.newPerson)
    let first = people.begin(query)
    if let page = coded.people { people.receive(.success(page), for: first) }
    if let error = coded.error, let request = people.nextRequest { people.receive(.failure(error), for: request) }
  }

  public func encode(to encoder: any Encoder) throws {
    let page = people.pageCount == 0 ? nil : Page(people.items, next: people.nextRequest?.cursor)
    let error = people.error as? DirectoryError
    try Coded(
      text: text, isReversed: isReversed, people: page, error: error, edited: edited, listed: listed,
      newPerson: newPerson
    ).encode(to: encoder)
  }
}

/// A log shows only the number of the people and the first of them.
extension PeopleState: CustomReflectable {
  public var customMirror: Mirror {
    let summary = people.items.first.map { "\(people.items.count), beginning with \($0.name)" } ?? "none"
    let children: KeyValuePairs<String, Any> = [
      "text": text, "isReversed": isReversed, "people": summary, "edited": edited.count,
      "error": error as Any, "newPerson": newPerson as Any,
    ]
    return Mirror(self, children: children, displayStyle: .struct)
  }
}

/// The list of people: a search that waits for a pause in typing, pages, and a sheet that adds a person.
// Sendable: it stores only `let`s.
public class PeopleViewModel: RxViewModel<PeopleAction, PeopleState>, @unchecked Sendable {
  private let service: any DirectoryService
  private let navigator: Navigator<DirectoryRoute>
  private let newPerson: NewPerson
  private let bag = DisposeBag()

  public required init(
    service: any DirectoryService, navigator: Navigator<DirectoryRoute>, messages: Messages,
    scheduler: (any Scheduler)? = nil
  ) {
    self.service = service
    self.navigator = navigator
    newPerson = NewPerson(navigator: navigator) { person in
      let added = try await service.add(person)
      messages.send("\(added.name) has been added")
    }
    super.init(scheduler: scheduler)
    service.additions.map { _ in .reload }.execute(on: self).disposed(by: bag)
    execute(.load(currentState.query))
  }

  /// The nickname field of the sheet.
  public var newNickname: MutableProperty<String> {
    property {
      $0.newPerson?.form.nickname ?? ""
    } set: {
      .newPerson(.form(.setNickname($0)))
    }
  }

  override public func createInitialState() -> PeopleState { PeopleState() }

  /// Follows the service, which all tabs share. A single edit passes at once. Of many edits, the list shows ten updates per second.
  override public func createSources() -> [Effect] {
    [service.edited.throttle(.milliseconds(100), scheduler: scheduler).mutate { $0.edited = $1 }]
  }

  override public func child(for action: PeopleAction) -> ChildAction<PeopleAction, PeopleState>? {
    guard case .newPerson(let action) = action else { return nil }
    return .init(newPerson, action, at: \.newPerson, as: PeopleAction.newPerson, output: PeopleAction.newPersonDone)
  }

  override public func createObservable(_ action: PeopleAction) -> Effect {
    let request: @Sendable (PageRequest<PeopleQuery, Person.ID>) -> Observable<Page<Person, Person.ID>> = {
      [service] request in .task { try await service.page(request) }
    }
    switch action {
    case .type(let text):
      return search { $0.text = text }
    case .reverse:
      return search { $0.isReversed.toggle() }
    case .load(let query):
      let count = service.count
      return .mutate { $0.listed = count }.concat(.page(\.people, { $0.begin(query) }, request: request))
    case .reload:
      let count = service.count
      if currentState.listed == count { return .empty() }
      // As many people as before, so that the list stays where the user has scrolled to. After an error the list stays as it is.
      var query = currentState.query
      query.firstPage = currentState.people.items.count
      return request(PageRequest(parameters: query)).mutate { [query] state, page in
        let first = state.people.begin(query)
        state.people.receive(.success(page), for: first)
        state.listed = count
      }
    case .loadMore:
      return .page(\.people, { $0.nextRequest }, request: request)
    case .open(let id):
      return .unchanged().do(onCompleted: { [navigator] in navigator.navigate(.person(id)) })
    case .setAdding(let isAdding):
      return .mutate { $0.newPerson = isAdding ? NewPerson.State() : nil }
    case .newPerson:
      return .handledByChild()
    case .newPersonDone(.added):
      return .mutate { $0.newPerson = nil }
    }
  }

  /// Changes the search, and loads its people if it finds others than before.
  private func search(_ change: @escaping @Sendable (inout PeopleState) -> Void) -> Effect {
    var next = currentState
    change(&next)
    let changed = Effect.mutate(change)
    return next.query == currentState.query ? changed : changed.then(.load(next.query), on: self)
  }

  override public func showSpinner(_ action: PeopleAction) -> Bool {
    switch action {
    case .load, .loadMore: true
    case .type, .reverse, .reload, .open, .setAdding, .newPerson, .newPersonDone: false
    }
  }

  /// The list and the sheet show the errors of the service.
  override public func handleError(_ error: any Error, action: PeopleAction?) -> Bool {
    switch action {
    case .load, .reload, .loadMore, .newPerson: error is DirectoryError
    case .type, .reverse, .open, .setAdding, .newPersonDone, nil: false
    }
  }

  /// A new query cancels the other requests, and the view model requests no page during one of them.
  override public func executionMode(for action: PeopleAction) -> ExecutionMode {
    switch action {
    // A search waits until the user pauses. All people are shown at once.
    case .load(let query) where query.words.isEmpty: .switchLatest("list")
    case .load: .switchLatest("list", after: .milliseconds(300))
    // The requests of the user come first. Of several reloads in a row only the first one sends a request.
    case .reload: .sequence("list")
    case .loadMore: .dropWhileBusy("list")
    case .type, .reverse, .open, .setAdding, .newPerson, .newPersonDone: .parallel
    }
  }
}
