import ArgumentParser
import DirectoryScreens
import Foundation
import Hummingbird
import Logging
import RxViewModelInspector
import RxViewModelRecording
import RxViewModelTesting

@main
struct Program: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Directory", abstract: "A directory of fictional people, in the browser.",
    discussion: "Exit code 64 stands for options that cannot be used, and 1 for a file that cannot, or another failure."
  )

  @Option(help: "The address to listen on. Other machines can reach any address but the loopback address.")
  var host = "127.0.0.1"
  @Option(help: "The port to listen on, or 0 for any free port.")
  var port = 8080
  @Option(help: "The latency of the service in milliseconds.")
  var latency = 300
  @Flag(help: "Let the service fail until the page turns that off.")
  var failing = false
  @Option(help: "The maximum number of open tabs.")
  var tabs = 2000
  @Option(help: "The number of seconds that a tab lives without a connection.")
  var grace = 60
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Draw a recording as an HTML file, and do nothing else.", valueName: "recording html"))
  var picture: [String] = []
  @Flag(help: "Show in a page beside it what overlaps in the view models of all tabs, and why an action was dropped.")
  var inspect = false
  @Flag(help: "Log each request.")
  var verbose = false

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("A port is a number from 0 to 65535.") }
    guard latency >= 0, tabs > 0, grace > 0 else {
      throw ValidationError("The latency is at least 0, and the tabs and the grace at least 1.")
    }
    guard picture.isEmpty || picture.count == 2 else {
      throw ValidationError("A picture takes two files: a recording, and the HTML file to write.")
    }
  }

  func run() async throws {
    if let recording = picture.first, let html = picture.last { return try Self.draw(recording, as: html) }
    var logger = Logger(label: "Directory")
    logger.logLevel = verbose ? .debug : .warning
    // Two connections for each tab: its events, and its actions.
    let connections = 2 * tabs + 64
    if let files = raiseFileLimit(to: connections + 64) {
      logger.warning("The system allows \(files) open files, too few for \(tabs) tabs")
    }
    let store = PeopleStore(clock: ContinuousClock())
    let (latency, isFailing) = (Duration.milliseconds(latency), failing)
    let open = Tabs(
      limit: tabs, grace: .seconds(grace), logger: logger, inspection: inspect ? Inspection() : nil
    ) {
      DemoDirectoryService(store, latency: latency, clock: ContinuousClock(), isFailing: isFailing)
    }
    let application = makeApplication(
      open, host: host, port: port, maximumConnections: connections, logger: logger
    ) { [host] port in
      print("The directory is at http://\(host):\(port). Sign in as admin, with the password admin.")
      // Standard output may be a pipe, and a script may wait for this line.
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

  /// A file that cannot be read or written.
  private struct FileError: Error, CustomStringConvertible {
    let description: String
  }

  private static func draw(_ file: String, as html: String) throws {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
      throw FileError(description: "\(file) cannot be read.")
    }
    do {
      try Recording(text).timeline().write(toFile: html, atomically: true, encoding: .utf8)
    } catch let error as RecordingError {
      throw FileError(description: "\(file) is not a recording. \(error)")
    } catch {
      throw FileError(description: "\(html) cannot be written. Name a file in a folder that you may write to.")
    }
  }
}

/// Raises the limit of open files to `count`, as far as the system allows. Returns the limit if it is lower than that.
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
