import DirectoryScreens
import RxViewModel

/// The open tabs, by their ids. A tab that is not connected for a while is removed.
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

  private let limit: Int
  private let grace: Duration
  private let scheduler: any Scheduler
  private let makeService: @MainActor () -> DemoDirectoryService
  private var tabs: [String: (tab: Tab, expiry: SerialDisposable)] = [:]
  /// Begins the id of each tab, and differs from one start of the server to the next.
  private let start = String(UInt64.random(in: .min ... .max), radix: 36)

  /// - Parameters:
  ///   - limit: The maximum number of open tabs.
  ///   - grace: How long a tab lives without a connection.
  ///   - scheduler: Measures that time, and runs its work on the main actor.
  ///   - makeService: Makes the service of a tab.
  nonisolated init(
    limit: Int, grace: Duration = .seconds(60), scheduler: any Scheduler = MainScheduler(),
    makeService: @escaping @MainActor () -> DemoDirectoryService
  ) {
    self.limit = limit
    self.grace = grace
    self.scheduler = scheduler
    self.makeService = makeService
  }

  var count: Int { tabs.count }

  /// Opens a tab, and returns its id. The id is the page's only credential: it contains 128 random bits.
  func open(path: String) throws(Full) -> String {
    if tabs.count >= limit { throw Full(limit: limit) }
    let id = "\(start)-\(String(UInt128.random(in: .min ... .max), radix: 36))"
    let expiry = SerialDisposable()
    let tab = Tab(path: path, service: makeService()) { [weak self] isConnected in
      isConnected ? expiry.replace(with: Disposables.create()) : self?.expire(id, expiry)
    }
    tabs[id] = (tab, expiry)
    expire(id, expiry)
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

  /// Ends all connections.
  func close() {
    for (tab, _) in tabs.values { tab.outbox.close() }
  }

  private func expire(_ id: String, _ expiry: SerialDisposable) {
    let work = scheduler.schedule(after: grace) { [weak self] in
      MainActor.assumeIsolated { _ = self?.tabs.removeValue(forKey: id) }
    }
    expiry.replace(with: work)
  }
}
