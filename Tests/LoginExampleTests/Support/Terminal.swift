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
