import DirectoryScreens
import RxViewModel

/// A tab of a browser: its screens, its navigation, and its lifecycle, which is resumed while the page is connected and visible.
@MainActor
final class Tab {
  /// An action that no screen on the tab takes. A page that is late sends one.
  struct NotOpen: Error {}
  /// The page asks for more, and does not read what it has been sent.
  struct Flooded: Error {}

  let outbox = Outbox()
  private let service: DemoDirectoryService
  private let lifecycle = Lifecycle()
  private let navigation = Navigation<DirectoryRoute>()
  private let messages = PublishSubject<String>()
  private let log = PublishSubject<String>()
  private let bag = DisposeBag()
  private let onConnection: @MainActor (_ isConnected: Bool) -> Void
  private var screens: [Screen] = []
  /// The path that the page was opened with, until the user has signed in.
  private var link: String?
  private var isVisible = true
  private var isLogging = false
  private var lastMessage = 0

  /// - Parameter onConnection: called when the page connects or loses its connection.
  init(
    path: String, service: DemoDirectoryService, onConnection: @escaping @MainActor (_ isConnected: Bool) -> Void
  ) {
    link = path
    self.service = service
    self.onConnection = onConnection
    navigation.observe(lifecycle) { [weak self] route in self?.open(route) }.disposed(by: bag)
    messages.asLiveEvents().observe(lifecycle) { [outbox] in outbox.send(.message(text: $0)) }.disposed(by: bag)
    log.bind { [outbox] in outbox.send(.log(line: $0)) }.disposed(by: bag)
    outbox.onChange = { [weak self] in self?.update() }
    let viewModel = SignInViewModel(service: service, navigator: navigation.navigator, messages: messages)
    show([SignInScreen(viewModel, outbox)])
  }

  /// The last screen, and all before it.
  private var shown: Screen { screens[screens.count - 1] }
  private var paths: [String] { screens.compactMap(\.path) }

  // MARK: What the page asks for

  func receive(_ message: PageMessage) throws {
    outbox.acknowledge(message.seen)
    if outbox.isFull { throw Flooded() }
    if message.number <= lastMessage { return }
    lastMessage = message.number
    switch message.action {
    case .seen: break
    case .setVisible(let isVisible):
      self.isVisible = isVisible
      update()
    case .go(let path): go(to: path)
    case .setLog(let isOn):
      isLogging = isOn
      for screen in screens { screen.write(to: isOn ? log : nil) }
    case .setFailing(let isOn): service.isFailing.value = isOn
    default: if !shown.receive(message.action) { throw NotOpen() }
    }
  }

  /// What the tab's view models hold now.
  var snapshot: Snapshot {
    screens.reduce(into: Snapshot(paths: paths, isResumed: lifecycle.state == .resumed)) { $1.describe(in: &$0) }
  }

  // MARK: Screens

  private func open(_ route: DirectoryRoute) {
    switch route {
    case .people:
      let viewModel = PeopleViewModel(service: service, navigator: navigation.navigator, messages: messages)
      show([PeopleScreen(viewModel, outbox)])
      if let link { go(to: link) }
      link = nil
    case .person(let id):
      let viewModel = PersonViewModel(
        id: id, service: service, navigator: navigation.navigator, messages: messages)
      show(screens + [PersonScreen(id, viewModel, outbox)])
    case .pickColor(let current, let reply):
      let viewModel = ColorViewModel(current: current, reply: reply, navigator: navigation.navigator)
      show(screens + [ColorScreen(viewModel, outbox, path: (shown.path ?? "") + "/color")])
    case .back:
      if screens.count > 1 { show(screens.dropLast()) }
    }
  }

  /// Goes to the screens of a path: back to what is there already, and from there to what is not.
  private func go(to path: String) {
    // Nobody gets past the sign-in by a path.
    guard shown.path != nil else { return }
    if let index = paths.firstIndex(of: path) { return show(Array(screens[...index])) }
    // A deep link, or forward in the browser's history. A color is not picked unless a form asks for it.
    let parts = path.split(separator: "/")
    guard parts.count > 1, parts[0] == "people", let id = Int(parts[1]) else { return show([screens[0]]) }
    screens = [screens[0]]
    navigation.navigator.navigate(.person(id))
  }

  /// Shows the last of `screens`. What is not among them any more is released, and its work ends.
  private func show(_ screens: [Screen]) {
    for screen in screens.dropLast() { screen.lifecycle.pause() }
    self.screens = screens
    shown.write(to: isLogging ? log : nil)
    outbox.send(.screens(paths: paths))
    update()
  }

  private func update() {
    let isActive = outbox.isConnected && !outbox.isFull && isVisible
    isActive ? lifecycle.resume() : lifecycle.pause()
    // Not with the state from before: the resume may have delivered a route.
    lifecycle.state == .resumed ? shown.lifecycle.resume() : shown.lifecycle.pause()
    onConnection(outbox.isConnected)
  }
}
