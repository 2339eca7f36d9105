#if os(macOS) || os(Linux)
  import Foundation

  /// Starts a program that inherits the default action of SIGINT, which a shell makes a background command ignore, and no blocked signals.
  /// The thread of a test blocks signals.
  private func withDefaultSignals(_ start: () throws -> Void) rethrows {
    _ = signal(SIGINT, SIG_DFL)
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try start()
  }

  /// The built program in a process of its own. If a test waits for the process too long, `BuiltProgram` kills it.
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

    /// Starts the program. A terminal, if given, is its input and output; otherwise these are pipes.
    ///
    /// - Parameters:
    ///   - screen: A second terminal, for the output.
    ///   - input: A file for the input, in place of the pipe or terminal.
    ///   - output: A file for the output, in place of the pipe or terminal.
    ///   - environment: Variables that override those of the test's process.
    init(
      _ arguments: [String], on terminal: Terminal? = nil, screen: Terminal? = nil, input: FileHandle? = nil,
      output: FileHandle? = nil, environment: [String: String] = ["TERM": "dumb"]
    ) throws {
      let (ends, continuation) = AsyncStream.makeStream(of: Ended.self)
      self.ends = ends
      process.executableURL = Self.directory.appendingPathComponent("LoginExample")
      process.arguments = arguments
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      process.standardInput = input ?? terminal?.device ?? self.input
      process.standardOutput = output ?? (screen ?? terminal)?.device ?? self.output
      process.standardError = errors
      process.terminationHandler = { process in
        continuation.yield(Ended(reason: process.terminationReason, status: process.terminationStatus))
        continuation.finish()
      }
      try withDefaultSignals { try process.run() }
    }

    deinit {
      if process.isRunning { signal(SIGKILL) }
    }

    /// Kills the process after the limit, which ends every wait for it. The caller cancels the item when its wait has ended.
    private func limitWait() -> DispatchWorkItem {
      let kill = DispatchWorkItem { [weak self] in
        if let self, process.isRunning { signal(SIGKILL) }
      }
      DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(waitLimit), execute: kill)
      return kill
    }

    /// The folder of the test bundle, which also holds the built programs.
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

    /// Waits until the program has printed as many bytes as `text` has, and returns them.
    func read(asMuchAs text: String) async throws -> String {
      try await read(output, upTo: text.utf8.count)
    }

    /// Waits for the end of the output, and returns the part that has not been read.
    func readOutput() async throws -> String {
      try await read(output, upTo: .max)
    }

    /// Waits for the end of standard error, and returns its text.
    func readErrors() async throws -> String {
      try await read(errors, upTo: .max)
    }

    /// Sends a signal to the process.
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

    /// Reads on a thread of its own. The end of the process ends the read, so the limit bounds this wait too.
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
