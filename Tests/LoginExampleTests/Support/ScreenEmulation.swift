import Foundation

/// The parts of a terminal's screen that the form uses: text, line ends, the cursor's home position, erasing, and modes.
final class ScreenEmulation: @unchecked Sendable {  // Sendable: the lock protects the state.
  private let lock = NSLock()
  private var rows: [[Character]] = [[]]
  private var (row, column) = (0, 0)
  private var pending: [UInt8] = []
  private var modes: Set<String> = []
  private var styled: Set<String> = []
  private var frames: [String] = []
  private let columns: Int
  private let height: Int

  /// After a character in the last column the cursor stays in that column. A line end in the last row scrolls.
  init(columns: Int = .max, rows: Int = .max) {
    (self.columns, height) = (columns, rows)
  }

  func show(_ bytes: some Sequence<UInt8>) {
    lock.withLock {
      pending += bytes
      while let length = step() { pending.removeFirst(length) }
    }
  }

  /// The lines, without trailing spaces.
  var lines: [String] {
    lock.withLock { text }
  }

  /// The private modes that are set, like `?1049`.
  var setModes: Set<String> {
    lock.withLock { modes }
  }

  /// The styles used so far, like `31`.
  var styles: Set<String> {
    lock.withLock { styled }
  }

  /// The text of each complete frame, in order.
  var allFrames: [String] {
    lock.withLock { frames }
  }

  func contains(_ text: String) -> Bool {
    lines.contains { $0.contains(text) }
  }

  private var text: [String] {
    rows.map { row in
      String(row.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// Interprets the first pending bytes, and returns their number, or nil if more bytes are needed.
  private func step() -> Int? {
    guard let first = pending.first else { return nil }
    switch first {
    case 0x1B: return escape()
    case 0x0D:
      column = 0
      return 1
    case 0x0A:
      if row + 1 < height { row += 1 } else { rows.removeFirst() }
      return 1
    case ..<0x20: return 1
    default:
      let end = pending.firstIndex { $0 < 0x20 } ?? pending.count
      // The next bytes may extend the last character.
      guard end < pending.count, let text = String(bytes: pending[..<end], encoding: .utf8) else { return nil }
      for character in text { put(character) }
      return end
    }
  }

  private func put(_ character: Character) {
    while rows.count <= row { rows.append([]) }
    while rows[row].count <= column { rows[row].append(" ") }
    rows[row][column] = character
    column = min(column + 1, columns - 1)
  }

  private func escape() -> Int? {
    guard pending.count > 2, let end = pending.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
      return nil
    }
    let parameters = String(decoding: pending[2..<end], as: UTF8.self)
    while rows.count <= row { rows.append([]) }
    switch pending[end] {
    case UInt8(ascii: "H"): (row, column) = (0, 0)
    case UInt8(ascii: "K"): rows[row] = Array(rows[row].prefix(column))
    case UInt8(ascii: "J"): rows = Array(rows.prefix(row)) + [Array(rows[row].prefix(column))]
    case UInt8(ascii: "h"): modes.insert(parameters)
    case UInt8(ascii: "l"):
      modes.remove(parameters)
      if parameters == "?2026" { frames.append(text.joined(separator: "\n")) }
      if parameters == "?1049" { (rows, row, column) = ([[]], 0, 0) }
    case UInt8(ascii: "m"): styled.insert(parameters)
    default: break
    }
    return end + 1
  }
}
