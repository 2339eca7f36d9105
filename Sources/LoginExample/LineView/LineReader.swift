/// Splits arbitrary bytes into lines.
///
/// A line ends with LF or CR LF, or with the input. The reader replaces invalid UTF-8. It ignores the part of a line that exceeds the
/// limit, so that an endless line does not fill the memory.
struct LineReader {
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// The maximum number of bytes that the reader keeps of a line.
  private let limit: Int
  /// Returns the next bytes, or none at the end.
  private let read: () -> [UInt8]
  private var unread: ArraySlice<UInt8> = []
  private var isAtEnd = false

  init(limit: Int = 16 << 20, _ read: @escaping () -> [UInt8]) {
    self.limit = limit
    self.read = read
  }

  /// Returns the next line without its end, or nil after the last line.
  mutating func next() -> String? {
    var line: [UInt8] = []
    while true {
      if unread.isEmpty && !isAtEnd {
        unread = read()[...]
        isAtEnd = unread.isEmpty
      }
      if isAtEnd {
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
      }
      let end = unread.firstIndex(of: Self.lineFeed)
      line += unread[..<(end ?? unread.endIndex)].prefix(limit - line.count)
      unread = end.map { unread[($0 + 1)...] } ?? []
      if end != nil {
        if line.last == Self.carriageReturn { line.removeLast() }
        return String(decoding: line, as: UTF8.self)
      }
    }
  }
}
