import RxViewModel
import RxViewModelTesting

@testable import TestSupport

// Answers that arrive in another order than their requests.

extension PlantedRace {
  static let answers = [
    PlantedRace("a stale answer overwrites the newest one") { run, isFixed in
      let model = CitySearchModel(.init(), run, isFixed)
      model.execute(.search("a"))
      run.mayArrive()
      model.execute(.search("ab"))
      run.allArrive()
      try run.expect(model.currentState.results == ["ab"])
    },
    PlantedRace("a page is appended to the list of another query") { run, isFixed in
      let model = PagedListModel(.init(), run, isFixed)
      model.execute(.load("cats"))
      run.allArrive()
      model.execute(.loadMore)
      run.mayArrive()
      model.execute(.load("dogs"))
      run.allArrive()
      try run.expect(model.currentState.rows.allSatisfy { $0.hasPrefix("dogs") })
    },
    PlantedRace("the error of an old request covers the newest answer") { run, isFixed in
      let model = WeatherModel(.init(), run, isFixed)
      model.execute(.load("Bern", fails: true))
      run.mayArrive()
      model.execute(.load("Rome", fails: false))
      run.allArrive()
      try run.expect(model.currentState == WeatherModel.State(weather: "sun in Rome"))
    },
    PlantedRace("the spinner goes off while another request runs") { run, isFixed in
      let model = TwoListsModel(.init(), run, isFixed)
      model.execute(.loadFriends)
      model.execute(.loadGroups)
      run.mayArrive()
      let state = model.currentState
      try run.expect(state.isBusy == (state.friends.isEmpty || state.groups.isEmpty))
      run.allArrive()
      try run.expect(!model.currentState.isBusy)
    },
    PlantedRace("the second step of a chain belongs to another selection") { run, isFixed in
      let model = ProfileModel(.init(), run, isFixed)
      model.execute(.select(1))
      run.mayArrive()
      model.execute(.select(2))
      run.allArrive()
      try run.expect(model.currentState.cards.allSatisfy { $0.name == "user \($0.avatar)" })
    },
    PlantedRace("a value that was read before a write comes after it") { run, isFixed in
      let model = NicknameModel(.init(), run, isFixed)
      model.execute(.load)
      run.mayArrive()
      model.execute(.save("Ada"))
      run.allArrive()
      try run.expect(model.currentState.name == "Ada")
    },
  ]
}

// Sendable: it stores only `let`s.
private final class CitySearchModel: RaceModel<CitySearchModel.Action, CitySearchModel.State>, @unchecked Sendable {
  enum Action: Sendable { case search(String) }
  struct State: Sendable, Equatable { var results: [String] = [] }

  override func createObservable(_ action: Action) -> Effect {
    guard case .search(let text) = action else { return .unchanged() }
    return .task { [answer] in
      try await answer("answer to \(text)")
      return [text]
    }.mutate { $0.results = $1 }
  }

  override func executionMode(for action: Action) -> ExecutionMode { isFixed ? .switchLatest : .parallel }
}

// Sendable: it stores only `let`s.
private final class PagedListModel: RaceModel<PagedListModel.Action, PagedListModel.State>, @unchecked Sendable {
  enum Action: Sendable {
    case load(String)
    case loadMore
  }
  struct State: Sendable, Equatable {
    var query = ""
    var rows: [String] = []
  }

  override func createObservable(_ action: Action) -> Effect {
    let isFixed = isFixed
    switch action {
    case .load(let query):
      return page(1, of: query).mutate { $0 = State(query: query, rows: [$1]) }
    case .loadMore:
      let (query, count) = (currentState.query, currentState.rows.count)
      return page(count + 1, of: query).mutate { state, row in
        if isFixed && state.query != query { return }
        state.rows.append(row)
      }
    }
  }

  private func page(_ number: Int, of query: String) -> Observable<String> {
    .task { [answer] in
      try await answer("\(query), page \(number)")
      return "\(query) \(number)"
    }
  }
}

// Sendable: it stores only `let`s.
private final class WeatherModel: RaceModel<WeatherModel.Action, WeatherModel.State>, @unchecked Sendable {
  enum Action: Sendable { case load(String, fails: Bool) }
  struct State: Sendable, Equatable {
    var weather = ""
    var error: String?
  }

  override func createObservable(_ action: Action) -> Effect {
    guard case .load(let city, let fails) = action else { return .unchanged() }
    return .task { [answer] in
      try await answer(city)
      if fails { throw Offline() }
      return "sun in \(city)"
    }.mutate { $0 = State(weather: $1) }
  }

  override func executionMode(for action: Action) -> ExecutionMode { isFixed ? .switchLatest : .parallel }

  override func stateMapper(for error: any Error, action: Action) -> StateMapper<State>? {
    { state in
      var state = state
      state.error = "no connection"
      return state
    }
  }

  override func handleError(_ error: any Error, action: Action?) -> Bool { true }
}

// Sendable: it stores only `let`s.
private final class TwoListsModel: RaceModel<TwoListsModel.Action, TwoListsModel.State>, @unchecked Sendable {
  enum Action: Sendable { case loadFriends, loadGroups }
  struct State: Sendable, Equatable {
    var requests = 0
    var isBusy = false
    var friends: [String] = []
    var groups: [String] = []
  }

  override func createObservable(_ action: Action) -> Effect {
    let (answer, isFixed) = (answer, isFixed)
    let begin = Effect.mutate { state in
      state.requests += 1
      state.isBusy = true
    }
    return begin.concat(
      .task {
        try await answer("\(action)")
        return "\(action)"
      }.mutate { state, name in
        if case .loadFriends = action { state.friends = [name] } else { state.groups = [name] }
        state.requests -= 1
        state.isBusy = isFixed && state.requests > 0
      })
  }
}

// Sendable: it stores only `let`s.
private final class ProfileModel: RaceModel<ProfileModel.Action, ProfileModel.State>, @unchecked Sendable {
  enum Action: Sendable { case select(Int) }
  struct Card: Sendable, Equatable {
    let name: String
    let avatar: Int
  }
  struct State: Sendable, Equatable {
    var selected = 0
    var cards: [Card] = []
  }

  override func createObservable(_ action: Action) -> Effect {
    guard case .select(let id) = action else { return .unchanged() }
    return .mutate { $0.selected = id }.concat(
      .task { [self] in
        try await answer("name of \(id)")
        // The selection may have changed by now.
        let avatar = isFixed ? id : currentState.selected
        try await answer("avatar of \(avatar)")
        return Card(name: "user \(id)", avatar: avatar)
      }.mutate { $0.cards.append($1) })
  }
}

// Sendable: it stores only `let`s.
private final class NicknameModel: RaceModel<NicknameModel.Action, NicknameModel.State>, @unchecked Sendable {
  enum Action: Sendable {
    case load
    case save(String)
  }
  struct State: Sendable, Equatable { var name = "" }

  private let stored = Locked("Bob")

  override func createObservable(_ action: Action) -> Effect {
    let (answer, stored) = (answer, stored)
    switch action {
    case .load:
      return .task {
        let name = stored.value
        try await answer("loaded")
        return name
      }.mutate { $0.name = $1 }
    case .save(let name):
      return .task {
        try await answer("saved")
        stored.mutate { $0 = name }
        return name
      }.mutate { $0.name = $1 }
    }
  }

  override func executionMode(for action: Action) -> ExecutionMode { isFixed ? .switchLatest : .parallel }
}
