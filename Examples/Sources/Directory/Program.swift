import ArgumentParser
import DirectoryScreens
import Foundation
import Hummingbird
import Logging

@main
struct Program: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Directory", abstract: "A directory of made-up people, to be looked at in a browser.")

  @Option(help: "The address to listen on. At any but the loopback address, other machines reach the directory.")
  var host = "127.0.0.1"
  @Option(help: "The port to listen on; 0 for any that is free.")
  var port = 8080
  @Option(help: "How many milliseconds the service takes for each answer.")
  var latency = 300
  @Flag(help: "Let the service fail until the page says otherwise.")
  var failing = false
  @Option(help: "How many tabs may be open at a time.")
  var tabs = 2000
  @Option(help: "How many seconds a tab lives without a connection.")
  var grace = 60
  @Flag(help: "Log each request.")
  var verbose = false

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("A port is a number from 0 to 65535.") }
    guard latency >= 0, tabs > 0, grace > 0 else { throw ValidationError("A number is too small.") }
  }

  func run() async throws {
    var logger = Logger(label: "Directory")
    logger.logLevel = verbose ? .debug : .warning
    // Two connections for each tab: its events, and its actions.
    let connections = 2 * tabs + 64
    if let files = raiseFileLimit(to: connections + 64) {
      logger.warning("The system allows \(files) open files, too few for \(tabs) tabs")
    }
    let people = DemoDirectoryService.People()
    let (latency, isFailing) = (Duration.milliseconds(latency), failing)
    let open = Tabs(limit: tabs, grace: .seconds(grace)) {
      DemoDirectoryService(people, latency: latency, clock: ContinuousClock(), isFailing: isFailing)
    }
    let application = makeApplication(
      open, host: host, port: port, maximumConnections: connections, logger: logger
    ) { [host] port in
      print("The directory is at http://\(host):\(port). Sign in as admin, with the password admin.")
      // For a script that waits for this line on a pipe.
      fflush(nil)
    }
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask {
        while true {
          try await Task.sleep(for: .seconds(15))
          await open.probe()
        }
      }
      group.addTask { try await application.run() }
    }
  }
}

/// Lets this process open `count` files, as far as the system allows. The result is the limit, if it is lower.
private func raiseFileLimit(to count: Int) -> Int? {
  var limit = rlimit()
  #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    let resource = RLIMIT_NOFILE
  #endif
  guard getrlimit(resource, &limit) == 0, limit.rlim_cur < count else { return nil }
  limit.rlim_cur = min(limit.rlim_max, rlim_t(count))
  return setrlimit(resource, &limit) == 0 && limit.rlim_cur >= count ? nil : Int(limit.rlim_cur)
}
