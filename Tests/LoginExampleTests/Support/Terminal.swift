#if os(macOS) || os(Linux)
  import Foundation

  /// A pseudo-terminal: the device for the program, and the keyboard and screen for the test.
  final class Terminal: Sendable {
    /// The program's end.
    let device: FileHandle
    private let keyboardAndScreen: FileHandle

    init() throws {
      // Swift's Glibc module does not declare `openpty`, but the library contains it.
      typealias OpenPTY =
        @convention(c) (
          UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, UnsafeMutableRawPointer?, UnsafeRawPointer?,
          UnsafeRawPointer?
        ) -> Int32
      let openPTY = unsafeBitCast(dlsym(dlopen(nil, RTLD_NOW), "openpty"), to: OpenPTY?.self)
      var (near, far) = (Int32(-1), Int32(-1))
      guard let openPTY, openPTY(&near, &far, nil, nil, nil) == 0 else { throw POSIXError(.ENOTTY) }
      // Otherwise the programs of other tests inherit both ends, and a terminal whose end this test closes does not hang up.
      for end in [near, far] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      keyboardAndScreen = FileHandle(fileDescriptor: near, closeOnDealloc: true)
      device = FileHandle(fileDescriptor: far, closeOnDealloc: true)
    }

    /// Whether the terminal shows the keys that are typed.
    var showsKeys: Bool {
      var settings = termios()
      return tcgetattr(device.fileDescriptor, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// The local modes and the input modes.
    var settings: [UInt32] {
      var settings = termios()
      tcgetattr(device.fileDescriptor, &settings)
      return [settings.c_lflag, settings.c_iflag]
    }

    /// Closes the test's end of the terminal.
    func hangUp() throws {
      try keyboardAndScreen.close()
    }

    func type(_ keys: String) throws {
      try keyboardAndScreen.write(contentsOf: Data(keys.utf8))
    }

    /// Waits until the program has printed as many bytes as `text` has, and returns them. Returns fewer at the end or after the wait limit.
    func read(asMuchAs text: String) async -> String {
      let count = text.utf8.count
      return await withCheckedContinuation { continuation in
        Thread.detachNewThread { [self] in
          let deadline = ContinuousClock.now + .seconds(waitLimit)
          var bytes: [UInt8] = []
          while bytes.count < count, let some = next(count - bytes.count, before: deadline) { bytes += some }
          continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
        }
      }
    }

    /// Reads at most `count` bytes. Returns none if none arrive within 100 ms, and nil after the deadline or at the end.
    private func next(_ count: Int, before deadline: ContinuousClock.Instant) -> [UInt8]? {
      guard ContinuousClock.now < deadline else { return nil }
      var poller = pollfd(fd: keyboardAndScreen.fileDescriptor, events: Int16(POLLIN), revents: 0)
      if poll(&poller, 1, 100) < 1 { return [] }
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
        length = max(0, Foundation.read(keyboardAndScreen.fileDescriptor, buffer.baseAddress, count))
      }
      return bytes.isEmpty ? nil : bytes
    }
  }
#endif
