import DirectoryScreens
import Hummingbird
import Logging
import NIOCore
import RxViewModel

@testable import Directory

/// Runs the server on a free port while `body` runs.
func withDirectory(
  limit: Int = 100, host: String = "127.0.0.1", maximumConnections: Int = 1000,
  requestTime: TimeAmount = .seconds(10), scheduler: any Scheduler = .main,
  store: PeopleStore = PeopleStore(Person.madeUp(200), clock: ContinuousClock()),
  clock: any Clock<Duration> = ContinuousClock(), list: PeopleViewModel.Type = PeopleViewModel.self,
  logger: Logger = Logger(label: "DirectoryTests") { _ in SwiftLogNoOpLogHandler() },
  _ body: @escaping @Sendable (Client, Tabs) async throws -> Void
) async throws {
  let tabs = Tabs(limit: limit, logger: logger, scheduler: scheduler, list: list) {
    DemoDirectoryService(store, latency: .zero, clock: clock)
  }
  let (ports, port) = AsyncStream<Int>.makeStream()
  let application = makeApplication(
    tabs, host: host, port: 0, maximumConnections: maximumConnections, requestTime: requestTime, logger: logger
  ) { port.yield($0) }
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { try await application.run() }
    for await port in ports {
      try await body(Client(port: port), tabs)
      break
    }
    group.cancelAll()
  }
}
