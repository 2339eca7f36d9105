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

    /// Reads what comes until `isDone`, on a screen that shows it. Asks again whenever something has come, and from time to
    /// time: a setting changes without a sign.
    func watch(_ screen: ScreenEmulation, until isDone: @escaping @Sendable (ScreenEmulation) -> Bool) async -> Bool {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { [self] in
          let deadline = ContinuousClock.now + .seconds(waitLimit)
          while !isDone(screen), let bytes = next(4096, before: deadline) { screen.show(bytes) }
          continuation.resume(returning: isDone(screen))
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

    /// Waits until as many bytes as `text` has are on the screen, and returns them; fewer if no more come.
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

    /// The next bytes, `count` at most, or none if none come for a moment; nil after the deadline and at the end.
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
