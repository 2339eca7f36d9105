import DirectoryScreens
import Hummingbird
import Logging
import RxViewModel

@testable import Directory

/// Runs the server on a port of its own while `body` runs.
func withDirectory(
  limit: Int = 100, scheduler: any RxScheduler = MainScheduler(),
  _ body: @escaping @Sendable (Client, Tabs) async throws -> Void
) async throws {
  let people = DemoDirectoryService.People(Person.madeUp(200))
  let tabs = Tabs(limit: limit, scheduler: scheduler) {
    DemoDirectoryService(people, latency: .zero, clock: ContinuousClock())
  }
  let (ports, port) = AsyncStream<Int>.makeStream()
  let logger = Logger(label: "DirectoryTests") { _ in SwiftLogNoOpLogHandler() }
  let application = makeApplication(tabs, port: 0, maximumConnections: 1000, logger: logger) { port.yield($0) }
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { try await application.run() }
    for await port in ports {
      try await body(Client(port: port), tabs)
      break
    }
    group.cancelAll()
  }
}
