// Code of the articles, word for word, that tests of the library use too. `SnippetTests` compares it with the articles.
import RxViewModel

enum Ink: Sendable {
  case red
  case blue
}

enum PaintRoute: Sendable, Equatable {
  case about
  case pickInk(Reply<Ink>)
  case settings(SettingsRoute)
}

enum SettingsRoute: Sendable, Equatable {
  case about
  case pickGrid(Reply<Int>)
}

struct PaintState: Sendable, Equatable {
  var ink: Ink?
}

enum PaintAction: Sendable, Equatable {
  case chooseInk
  case showAbout
}

final class PaintViewModel: RxViewModel<PaintAction, PaintState>, @unchecked Sendable {
  private let navigator: Navigator<PaintRoute>

  init(navigator: Navigator<PaintRoute>, scheduler: (any Scheduler)? = nil) {
    self.navigator = navigator
    super.init(initialState: PaintState(), scheduler: scheduler)
  }

  override func createObservable(_ action: PaintAction) -> Effect {
    switch action {
    case .showAbout:
      navigator.navigate(.about)
      return .unchanged()
    case .chooseInk:
      return navigator.request { .pickInk($0) }.mutate { $0.ink = $1 }
    }
  }

  // A double tap presents one screen.
  override func executionMode(for action: PaintAction) -> ExecutionMode {
    .dropWhileBusy("navigation")
  }
}

@MainActor
final class PaintWindow {
  let navigation = Navigation<PaintRoute>()
  private(set) var shown: [PaintRoute] = []
  private let lifecycle = Lifecycle()
  private let bag = DisposeBag()

  init() {
    navigation.observe(lifecycle) { [weak self] route in self?.shown.append(route) }.disposed(by: bag)
  }

  func appear() { lifecycle.resume() }
  func disappear() { lifecycle.pause() }

  func open(_ link: String) {
    navigation.navigator.navigate(routes(of: link))
  }

}

func routes(of link: String) -> [PaintRoute] {
  link.split(separator: "/").compactMap { part in
    switch part {
    case "about": .about
    case "settings": .settings(.about)
    default: nil
    }
  }
}
