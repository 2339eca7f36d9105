import DirectoryScreens
import RxViewModel
import RxViewModelRecording

/// A tab of a browser: its screens, its navigation, and its lifecycle, which is resumed while the page is connected and visible.
@MainActor
final class Tab {
  /// The screen that is shown does not have this action. A page that has not yet received its last events may send one.
  struct NotOpen: Error {}
  /// The page sends actions, but does not acknowledge its events, or sends too many while it is not shown.
  struct Flooded: Error {}

  /// The maximum number of actions that the tab executes while it is paused. Their routes and messages wait for its resume.
  private static let pausedLimit = 200

  /// An entry keeps what the page has sent, so this also bounds the memory of the tab.
  nonisolated static let recorded = 1_000

  let outbox = Outbox()
  /// Records the view models of the tab.
  let recorder: Recorder
  private let inspection: Inspection?
  private let service: DemoDirectoryService
  private let lifecycle = Lifecycle()
  private let navigation = Navigation<DirectoryRoute>()
  private let messages = Messages()
  private let viewModels: ViewModels
  private let bag = DisposeBag()
  private let onReader: @MainActor (Outbox.Reader) -> Void
  private var reader = Outbox.Reader.away { didSet { if reader != oldValue { onReader(reader) } } }
  private(set) var screens: [Screen] = []
  /// The path with which the page was opened. Nil after the sign-in.
  private var link: String?
  private var isVisible = true
  private var isLogging = false
  private var lastMessage = 0
  private var pausedActions = 0

  /// - Parameters:
  ///   - list: The class of the list of people.
  ///   - inspection: Shows the view models, and has a recorder for all tabs.
  ///   - onReader: Called when the page begins or stops to read its events. At first it is away.
  init(
    path: String, service: DemoDirectoryService, list: PeopleViewModel.Type, inspection: Inspection?,
    onReader: @escaping @MainActor (Outbox.Reader) -> Void
  ) {
    link = path
    self.service = service
    self.onReader = onReader
    self.inspection = inspection
    recorder = inspection?.recorder ?? Recorder(limit: Self.recorded)
    viewModels = ViewModels(
      service: service, navigator: navigation.navigator, messages: messages, recorder: recorder, list: list)
    navigation.observe(lifecycle) { [weak self] route in self?.open(route) }.disposed(by: bag)
    messages.events.observe(lifecycle) { [outbox] in outbox.send(.message(text: $0)) }.disposed(by: bag)
    outbox.onChange = { [weak self] in self?.update() }
    show([SignInScreen(inspected(viewModels.signIn(), "sign-in"), outbox)])
  }

  private var shown: Screen { screens[screens.count - 1] }
  var paths: [String] { screens.compactMap(\.path) }
  var isResumed: Bool { lifecycle.state == .resumed }

  // MARK: Actions of the page

  func receive(_ message: PageMessage) throws {
    outbox.acknowledge(message.seen.value)
    if outbox.isFull { throw Flooded() }
    if message.number.value <= lastMessage { return }
    lastMessage = message.number.value
    switch message.action {
    case .seen: break
    case .setVisible(let isVisible):
      self.isVisible = isVisible
      update()
    default:
      if !isResumed { pausedActions += 1 }
      if pausedActions > Self.pausedLimit { throw Flooded() }
      try execute(message.action)
    }
  }

  private func execute(_ action: PageAction) throws {
    switch action {
    case .go(let path): go(to: path)
    case .setLog(let isOn):
      isLogging = isOn
      for screen in screens { screen.showLog(isOn) }
    case .setFailing(let isOn): service.isFailing.value = isOn
    // The page sends these by itself. When one arrives, another screen may be shown.
    case .loadMore, .endEditing: _ = shown.receive(action)
    default: if !shown.receive(action) { throw NotOpen() }
    }
  }

  // MARK: Screens

  private func open(_ route: DirectoryRoute) {
    switch route {
    case .people:
      show([PeopleScreen(inspected(viewModels.people(), "people"), outbox)])
      if let link { go(to: link) }
      link = nil
    case .person(let id):
      // Two clicks in a row open the person of the second one.
      show([screens[0], PersonScreen(id, inspected(viewModels.person(id), "person \(id)"), outbox)])
    case .pickColor(let current, let reply):
      let viewModel = inspected(viewModels.color(current, reply), "color")
      show(screens + [ColorScreen(viewModel, outbox, path: (shown.path ?? "") + "/color")])
    case .back:
      if screens.count > 1 { show(screens.dropLast()) }
    }
  }

  private func inspected<Action, State, Model: RxViewModel<Action, State>>(_ viewModel: Model, _ name: String) -> Model
  {
    inspection?.inspector.watch(viewModel, name: name)
    return viewModel
  }

  /// Shows the screens of a path: goes back to a screen that exists, or else opens the screens of the path.
  private func go(to path: String) {
    // A path does not bypass the sign-in.
    guard shown.path != nil else { return }
    if let index = paths.firstIndex(of: path) { return show(Array(screens[...index])) }
    // A deep link, or forward in the browser's history. There is no color screen without the request of a form.
    let parts = path.split(separator: "/")
    guard parts.count > 1, parts[0] == "people", let id = Int(parts[1]) else { return show([screens[0]]) }
    navigation.navigator.navigate(.person(id))
  }

  /// Shows the last of `screens`. Releases the screens that are not among them, which ends their work.
  private func show(_ screens: [Screen]) {
    for screen in screens.dropLast() { screen.lifecycle.pause() }
    self.screens = screens
    shown.showLog(isLogging)
    outbox.send(.screens(paths: paths))
    shown.appear()
    update()
  }

  private func update() {
    let isActive = outbox.reader == .reading && isVisible
    isActive ? lifecycle.resume() : lifecycle.pause()
    // Reads the state again, because the resume may have delivered a route.
    isResumed ? shown.lifecycle.resume() : shown.lifecycle.pause()
    if isResumed { pausedActions = 0 }
    reader = outbox.reader
  }
}
