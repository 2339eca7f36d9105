#if os(macOS) || os(Linux)
  import Foundation

  /// A pseudo-terminal: what a program sees as its terminal, and what the person before it types and reads.
  final class Terminal: Sendable {
    /// The program's end.
    let device: FileHandle
    private let keyboardAndScreen: FileHandle

    init() throws {
      // Swift's Glibc module has none of the functions that make one; the library has.
      typealias OpenPTY =
        @convention(c) (
          UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, UnsafeMutableRawPointer?, UnsafeRawPointer?,
          UnsafeRawPointer?
        ) -> Int32
      let openPTY = unsafeBitCast(dlsym(dlopen(nil, RTLD_NOW), "openpty"), to: OpenPTY?.self)
      var (near, far) = (Int32(-1), Int32(-1))
      guard let openPTY, openPTY(&near, &far, nil, nil, nil) == 0 else { throw POSIXError(.ENOTTY) }
      keyboardAndScreen = FileHandle(fileDescriptor: near, closeOnDealloc: true)
      device = FileHandle(fileDescriptor: far, closeOnDealloc: true)
    }

    /// Whether the terminal shows the keys that are typed.
    var showsKeys: Bool {
      var settings = termios()
      return tcgetattr(device.fileDescriptor, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Makes the window another size; the program is told by a signal.
    func resize(columns: Int, rows: Int = 24) {
      var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
      _ = ioctl(keyboardAndScreen.fileDescriptor, UInt(TIOCSWINSZ), &size)
    }

    /// What the program does with it, as text: the settings that the form changes.
    var settings: [UInt32] {
      var settings = termios()
      tcgetattr(device.fileDescriptor, &settings)
      return [settings.c_lflag, settings.c_iflag]
    }

    /// Reads what comes until `isDone`, on a screen that shows it.
    func watch(_ screen: ScreenEmulation, until isDone: @escaping @Sendable (ScreenEmulation) -> Bool) async -> Bool {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { [self] in
          let deadline = ContinuousClock.now + .seconds(100)
          var buffer = [UInt8](repeating: 0, count: 4096)
          while !isDone(screen) {
            var poller = pollfd(fd: keyboardAndScreen.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard ContinuousClock.now < deadline, poll(&poller, 1, 1_000) >= 0 else {
              return continuation.resume(returning: false)
            }
            if poller.revents & Int16(POLLIN) == 0 { continue }
            let count = Foundation.read(keyboardAndScreen.fileDescriptor, &buffer, buffer.count)
            guard count > 0 else { return continuation.resume(returning: isDone(screen)) }
            screen.show(buffer[..<count])
          }
          continuation.resume(returning: true)
        }
      }
    }

    /// Whether it takes output: it holds a few thousand bytes that nobody has read.
    var takesOutput: Bool {
      var poller = pollfd(fd: device.fileDescriptor, events: Int16(POLLOUT), revents: 0)
      return poll(&poller, 1, 0) == 1
    }

    /// The person before it goes away.
    func hangUp() throws {
      try keyboardAndScreen.close()
    }

    func type(_ keys: String) throws {
      try keyboardAndScreen.write(contentsOf: Data(keys.utf8))
    }

    /// Waits until as many bytes as `text` has are on the screen, and returns them.
    func read(asMuchAs text: String) async throws -> String {
      try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { [self] in
          continuation.resume(
            with: Result {
              let data = try keyboardAndScreen.read(upToCount: text.utf8.count)
              return String(decoding: data ?? Data(), as: UTF8.self)
            })
        }
      }
    }
  }
#endif
