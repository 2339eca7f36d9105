import DirectoryScreens
import Logging
import RxViewModel

/// The open tabs, by their ids. A tab that is not connected for a while, or whose page does not read, is removed.
@MainActor
final class Tabs {
  /// There are as many tabs as the limit allows.
  struct Full: Error {
    let limit: Int
  }

  /// There is no tab with this id.
  struct NotFound: Error {
    /// Whether an earlier start of the server made the id.
    let isOfAnotherServer: Bool
  }

  /// How long a page may be behind with its events.
  private static let patience = Duration.seconds(30)

  private let limit: Int
  private let grace: Duration
  private let logger: Logger
  private let scheduler: any Scheduler
  private let list: PeopleViewModel.Type
  private let inspection: Inspection?
  private let makeService: @MainActor () -> DemoDirectoryService
  private var tabs: [String: (tab: Tab, expiry: SerialDisposable)] = [:]
  /// Begins the id of each tab, and differs from one start of the server to the next.
  private let start = String(UInt64.random(in: .min ... .max), radix: 36)

  /// - Parameters:
  ///   - limit: The maximum number of open tabs.
  ///   - grace: How long a tab lives without a connection.
  ///   - scheduler: Measures that time, and runs its work on the main actor.
  ///   - list: The class of the list of people, so that a test can give one with a bug.
  ///   - inspection: Shows the view models of all tabs.
  ///   - makeService: Makes the service of a tab.
  nonisolated init(
    limit: Int, grace: Duration = .seconds(60), logger: Logger, scheduler: any Scheduler = .main,
    list: PeopleViewModel.Type = PeopleViewModel.self, inspection: Inspection? = nil,
    makeService: @escaping @MainActor () -> DemoDirectoryService
  ) {
    self.limit = limit
    self.grace = grace
    self.logger = logger
    self.scheduler = scheduler
    self.list = list
    self.inspection = inspection
    self.makeService = makeService
  }

  var count: Int { tabs.count }

  /// Opens a tab, and returns its id. The id is the page's only credential: it contains 128 random bits.
  func open(path: String) throws(Full) -> String {
    if tabs.count >= limit { throw Full(limit: limit) }
    let id = "\(start)-\(String(UInt128.random(in: .min ... .max), radix: 36))"
    let expiry = SerialDisposable()
    let tab = Tab(path: path, service: makeService(), list: list, inspection: inspection) { [weak self] in
      self?.follow(id, $0)
    }
    tabs[id] = (tab, expiry)
    follow(id, .away)
    return id
  }

  func tab(_ id: String) throws(NotFound) -> Tab {
    guard let tab = tabs[id]?.tab else { throw NotFound(isOfAnotherServer: !id.hasPrefix("\(start)-")) }
    return tab
  }

  /// Detects dead connections.
  func probe() {
    for (tab, _) in tabs.values { tab.outbox.probe() }
  }

  /// Removes the tab in time, unless its page reads.
  private func follow(_ id: String, _ reader: Outbox.Reader) {
    switch reader {
    case .reading: tabs[id]?.expiry.replace(with: Disposables.create())
    case .away: remove(id, after: grace)
    case .behind:
      remove(id, after: Self.patience, "A page has not read its events for \(Self.patience). Its tab is closed.")
    case .lost:
      remove(id, after: .zero, "A page has not read its events, which have become too many. Its tab is closed.")
    }
  }

  private func remove(_ id: String, after time: Duration, _ sentence: Logger.Message? = nil) {
    let work = scheduler.schedule(after: time) { [weak self] in
      MainActor.assumeIsolated {
        guard let tab = self?.tabs.removeValue(forKey: id)?.tab else { return }
        if let sentence { self?.logger.warning(sentence) }
        tab.outbox.close()
      }
    }
    tabs[id]?.expiry.replace(with: work)
  }
}
