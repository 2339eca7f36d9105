#if os(macOS) || os(Linux)
  import Foundation

  /// The program as it was built, in a process of its own, which is killed if a test waits for it too long.
  final class BuiltProgram: Sendable {
    struct Ended: Sendable, Equatable {
      let reason: Process.TerminationReason
      let status: Int32
    }

    let input = Pipe()
    let output = Pipe()
    let errors = Pipe()
    private let process = Process()
    private let ends: AsyncStream<Ended>

    /// Starts the program with pipes at its ends, or, if there is a terminal, with that for input and output.
    ///
    /// - Parameters:
    ///   - screen: another terminal for the output.
    ///   - environment: what the terminal is, in place of the test's own.
    init(
      _ arguments: [String], on terminal: Terminal? = nil, screen: Terminal? = nil,
      environment: [String: String] = ["TERM": "dumb"]
    ) throws {
      let (ends, continuation) = AsyncStream.makeStream(of: Ended.self)
      self.ends = ends
      process.executableURL = Self.directory.appendingPathComponent("LoginExample")
      process.arguments = arguments
      var all = ProcessInfo.processInfo.environment
      all["NO_COLOR"] = nil
      process.environment = all.merging(environment) { $1 }
      process.standardInput = terminal?.device ?? input
      process.standardOutput = (screen ?? terminal)?.device ?? output
      process.standardError = errors
      process.terminationHandler = { process in
        continuation.yield(Ended(reason: process.terminationReason, status: process.terminationStatus))
        continuation.finish()
      }
      try process.run()
    }

    deinit {
      if process.isRunning { signal(SIGKILL) }
    }

    /// Kills the process after the limit, unless the item is cancelled before. Its end ends every wait.
    private func limitWait() -> DispatchWorkItem {
      let kill = DispatchWorkItem { [weak self] in
        if let self, process.isRunning { signal(SIGKILL) }
      }
      DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(waitLimit), execute: kill)
      return kill
    }

    /// Where the test bundle lies, and the programs beside it.
    static var directory: URL {
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      return bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    }

    /// Writes to the program's input.
    func write(_ text: String) throws {
      try write(Data(text.utf8))
    }

    func write(_ bytes: Data) throws {
      try input.fileHandleForWriting.write(contentsOf: bytes)
    }

    /// Ends the program's input.
    func endInput() throws {
      try input.fileHandleForWriting.close()
    }

    /// Waits until the program has printed as many bytes as `text`, and returns them.
    func read(asMuchAs text: String) async throws -> String {
      try await read(output, upTo: text.utf8.count)
    }

    /// Waits for the end of the output and returns what is left of it.
    func readOutput() async throws -> String {
      try await read(output, upTo: .max)
    }

    /// Waits for the end of standard error and returns it.
    func readErrors() async throws -> String {
      try await read(errors, upTo: .max)
    }

    /// Sends the process a signal.
    func signal(_ number: Int32) {
      kill(process.processIdentifier, number)
    }

    /// Waits until the program has ended.
    func end() async throws -> Ended {
      let limit = limitWait()
      defer { limit.cancel() }
      for await end in ends { return end }
      throw CancellationError()
    }

    /// Reads on a thread of its own: the end of the process ends a read, so that its limit bounds this too.
    private func read(_ pipe: Pipe, upTo count: Int) async throws -> String {
      try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { [self] in
          let limit = limitWait()
          defer { limit.cancel() }
          let handle = pipe.fileHandleForReading
          continuation.resume(
            with: Result {
              let data = try count == .max ? handle.readToEnd() : handle.read(upToCount: count)
              return String(decoding: data ?? Data(), as: UTF8.self)
            })
        }
      }
    }
  }
#endif
