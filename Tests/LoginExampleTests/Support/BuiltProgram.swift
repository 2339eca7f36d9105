#if os(macOS) || os(Linux)
  import Foundation

  @testable import TestSupport

  /// The built program in a process of its own, with a latency of zero unless its arguments name another one.
  final class BuiltProgram: Sendable {
    enum End: Equatable {
      case exit(Int32)
      case signal(Int32)
    }

    let output: Output
    let errors: Output
    private let input = Pipe()
    private let process = Process()
    private let ends: AsyncStream<End>

    /// Starts the program. Its input and its output are pipes, unless they are given.
    init(_ arguments: [String] = [], input: FileHandle? = nil, output: FileHandle? = nil) throws {
      let (outputs, errorOutputs) = (Pipe(), Pipe())
      let (ends, end) = AsyncStream.makeStream(of: End.self)
      (self.ends, self.output, errors) = (
        ends, Output(outputs.fileHandleForReading), Output(errorOutputs.fileHandleForReading)
      )
      // The folder of the test bundle also holds the built programs.
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      let products = bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
      process.executableURL = products.appendingPathComponent("LoginExample")
      process.arguments = ["--latency", "0"] + arguments
      process.standardInput = input ?? self.input
      process.standardOutput = output ?? outputs
      process.standardError = errorOutputs
      process.terminationHandler = { process in
        let isExit = process.terminationReason == .exit
        end.yield(isExit ? .exit(process.terminationStatus) : .signal(process.terminationStatus))
      }
      try withDefaultSignals { try process.run() }
    }

    deinit { signal(SIGKILL) }

    /// Writes to the program's input.
    func write(_ bytes: some Sequence<UInt8>) throws {
      try input.fileHandleForWriting.write(contentsOf: Data(bytes))
    }

    /// Ends the program's input.
    func endInput() throws { try input.fileHandleForWriting.close() }

    /// Sends a signal to the process.
    func signal(_ number: Int32) {
      if process.isRunning { kill(process.processIdentifier, number) }
    }

    /// Waits until the program has ended.
    func end() async -> End? { await ends.first { _ in true } }
  }

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

  /// What arrives at one end of a pipe or of a terminal.
  final class Output: Sendable {
    private let handle: FileHandle

    init(_ handle: FileHandle) { self.handle = handle }

    /// Waits for `count` bytes, or for the end. The wait limit bounds this.
    func next(_ count: Int = .max) async -> String {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { [self] in
          let deadline = ContinuousClock.now + .seconds(waitLimit)
          var text: [UInt8] = []
          while text.count < count, ContinuousClock.now < deadline, let some = read(min(count - text.count, 4_096)) {
            text += some
          }
          continuation.resume(returning: String(decoding: text, as: UTF8.self))
        }
      }
    }

    /// Closes this end.
    func close() throws { try handle.close() }

    /// Reads at most `count` bytes. Returns none if none arrive within 100 ms, and nil at the end.
    private func read(_ count: Int) -> [UInt8]? {
      var poller = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
      if poll(&poller, 1, 100) < 1 { return [] }
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
        length = max(0, Foundation.read(handle.fileDescriptor, buffer.baseAddress, count))
      }
      return bytes.isEmpty ? nil : bytes
    }
  }
#endif
