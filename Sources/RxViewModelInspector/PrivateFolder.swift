#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Why a folder or a file can't be written.
struct FileError: Error, CustomStringConvertible {
  let description: String

  /// - Parameter reason: By default, that of the last call of the C library.
  init(_ path: String, _ reason: String = String(cString: strerror(errno))) {
    description = "cannot write \(path): \(reason). Nothing is shown."
  }
}

/// The C library's `write`, under a name that no method hides.
private func writeBytes(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(file, bytes, count) }

/// A folder that only the user can read. Its files are written in whole, and nothing in it is followed that is a link.
final class PrivateFolder {
  private let path: String
  private let descriptor: Int32

  /// A folder in the temporary directory, named after the program.
  static var standardPath: String {
    let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    return "\(temporary.last == "/" ? String(temporary.dropLast()) : temporary)/RxViewModelInspector-\(programName)"
  }

  static var programName: String {
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "app"
  }

  /// Opens the folder, and makes it if there is none.
  init(_ path: String) throws(FileError) {
    self.path = path
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw FileError(path) }
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    if descriptor < 0 { throw FileError(path) }
    var status = stat()
    if fstat(descriptor, &status) != 0 { throw FileError(path) }
    if status.st_uid != geteuid() || status.st_mode & 0o077 != 0 {
      throw FileError(path, "it has to belong to you alone, as after chmod 700")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  var names: [String] {
    guard let folder = fdopendir(openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { name in
          name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
            String(cString: $0)
          }
        })
    }
    return names
  }

  func remove(_ name: String) { unlinkat(descriptor, name, 0) }

  /// Writes a file, which takes the place of the one with this name at once.
  func write(_ name: String, _ text: String) throws(FileError) {
    let new = "\(name).new"
    remove(new)
    let file = openat(descriptor, new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if file < 0 { throw FileError("\(path)/\(name)") }
    var (text, isWritten) = (text, true)
    text.withUTF8 { bytes in
      var done = 0
      while done < bytes.count, isWritten {
        let count = writeBytes(file, bytes.baseAddress! + done, bytes.count - done)
        isWritten = count >= 0 || errno == EINTR
        done += max(count, 0)
      }
    }
    isWritten = close(file) == 0 && isWritten && renameat(descriptor, new, descriptor, name) == 0
    if !isWritten { throw FileError("\(path)/\(name)") }
  }
}
