#if DEBUG
  import DirectoryScreens

  /// The states of a tab's view models, for tests that compare them with the page. It is not part of a release build.
  struct Snapshot: Encodable, Sendable {
    let paths: [String]
    /// Whether the tab's lifecycle is resumed.
    let isResumed: Bool
    var sections: [SectionView] = []
    var query: String?
    var newPerson: NewPersonSnapshot?
    var username: String?
    var nickname: String?
    var color: String?
    var secondsAgo: Int?
    var error: String?

    @MainActor
    init(_ tab: Tab) {
      (paths, isResumed) = (tab.paths, tab.isResumed)
      for screen in tab.screens {
        switch screen {
        case let screen as SignInScreen:
          let state = screen.viewModel.currentState
          (username, error) = (state.username, state.error)
        case let screen as PeopleScreen:
          let state = screen.viewModel.currentState
          sections = state.shown.sections.map(SectionView.init)
          (query, newPerson) = (state.query.description, state.newPerson.map(NewPersonSnapshot.init))
        case let screen as PersonScreen:
          let state = screen.viewModel.currentState
          (nickname, color) = (state.nickname, state.person?.color.rawValue)
          (secondsAgo, error) = (state.secondsAgo, state.error)
        default: break
        }
      }
    }
  }

  struct NewPersonSnapshot: Encodable, Sendable {
    let name: String
    let nickname: String
    let color: PersonColor
    let error: String?

    init(_ sheet: NewPerson.State) {
      (name, nickname) = (sheet.person.name, sheet.person.nickname)
      (color, error) = (sheet.person.color, sheet.error)
    }
  }
#endif
