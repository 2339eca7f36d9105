import DirectoryScreens
import RxViewModel

/// The tabs that are open, by their ids. One that is not connected for a while is cleared.
@MainActor
final class Tabs {
  /// All places are taken.
  struct Full: Error {
    let limit: Int
  }

  private let limit: Int
  private let grace: Duration
  private let scheduler: any Scheduler
  private let makeService: @MainActor () -> DemoDirectoryService
  private var tabs: [String: (tab: Tab, expiry: SerialDisposable)] = [:]

  /// - Parameters:
  ///   - limit: how many tabs may be open at a time.
  ///   - grace: how long a tab lives without a connection.
  ///   - scheduler: measures that time, and runs its work on the main actor.
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

  /// Opens a tab. The id is what the page proves itself with: 128 random bits.
  func open(path: String) throws(Full) -> String {
    if tabs.count >= limit { throw Full(limit: limit) }
    var random = SystemRandomNumberGenerator()
    let digits = [random.next(), random.next()].map { String($0, radix: 36) }
    let id = digits.joined(separator: "-")
    let expiry = SerialDisposable()
    let tab = Tab(path: path, service: makeService()) { [weak self] isConnected in
      isConnected ? expiry.replace(with: Disposables.create()) : self?.expire(id, expiry)
    }
    tabs[id] = (tab, expiry)
    expire(id, expiry)
    return id
  }

  func tab(_ id: String) -> Tab? { tabs[id]?.tab }

  /// Makes dead connections known.
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
