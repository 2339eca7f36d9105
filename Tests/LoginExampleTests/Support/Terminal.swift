#if os(macOS) || os(Linux)
  import Foundation

  /// A pseudo-terminal: the device for the program, and the keyboard and screen for the test.
  final class Terminal: Sendable {
    /// The program's end.
    let device: FileHandle
    let screen: Output
    private let keyboard: FileHandle

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
      keyboard = FileHandle(fileDescriptor: near, closeOnDealloc: true)
      device = FileHandle(fileDescriptor: far, closeOnDealloc: true)
      screen = Output(keyboard)
    }

    /// Whether the terminal shows the keys that are typed.
    var showsKeys: Bool { settings[0] & tcflag_t(ECHO) != 0 }

    /// The local modes and the input modes.
    var settings: [tcflag_t] {
      var settings = termios()
      tcgetattr(device.fileDescriptor, &settings)
      return [settings.c_lflag, settings.c_iflag]
    }

    func type(_ keys: String) throws { try keyboard.write(contentsOf: Data(keys.utf8)) }
  }
#endif
