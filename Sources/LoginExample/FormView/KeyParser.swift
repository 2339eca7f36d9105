/// Parses the bytes that a terminal sends into keys, however the bytes are split.
///
/// A lone escape byte may be the Escape key or the beginning of a sequence. It waits in the parser for more bytes, or
/// for ``flush()``, which the reader calls when no byte has followed for a moment.
struct KeyParser: Sendable {
  private static let escape: UInt8 = 0x1B
  private static let interrupt: UInt8 = 0x03
  private static let pasteEnd: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]
  /// The length that no sequence of a terminal exceeds.
  private static let longestSequence = 32

  private var pending: [UInt8] = []
  private var isPasting = false
  /// The number of pasted bytes that have been searched and contain no end mark.
  private var searched = 0

  /// Whether ``flush()`` would decide the meaning of waiting bytes. The first bytes of a character do not count, because its other bytes
  /// will follow.
  var isUndecided: Bool { !isPasting && pending.first == Self.escape }

  /// Returns the keys that these bytes complete.
  mutating func parse(_ bytes: some Sequence<UInt8>) -> [Key] {
    pending += bytes
    var keys: [Key] = []
    while let (key, length) = next() {
      pending.removeFirst(length)
      guard let key else { continue }
      // Characters that the user types in a row become one text.
      if case .text(let text) = key, case .text(let before)? = keys.last {
        keys[keys.count - 1] = .text(before + text)
      } else {
        keys.append(key)
      }
    }
    return keys
  }

  /// Decides the meaning of the waiting bytes when no byte has followed: a lone escape byte is the Escape key, and an incomplete sequence
  /// is no key.
  mutating func flush() -> [Key] {
    guard isUndecided else { return [] }
    defer { pending = [] }
    return pending == [Self.escape] ? [.escape] : []
  }

  /// Returns the next key and the number of its bytes. The key is nil for bytes without a meaning here. Returns nil if
  /// more bytes are needed.
  private mutating func next() -> (key: Key?, length: Int)? {
    guard let first = pending.first else { return nil }
    if isPasting { return paste() }
    switch first {
    case Self.escape: return sequence()
    case 0x09: return (.next, 1)
    case 0x0A, 0x0D: return (.enter, 1)
    case 0x08, 0x7F: return (.backspace, 1)
    case 0x15: return (.clear, 1)
    case Self.interrupt, 0x04: return (.leave, 1)
    case 0x1A: return (.suspend, 1)
    case ..<0x20: return (nil, 1)
    default: return character(at: 0)
    }
  }

  /// Reads one scalar in UTF-8. Replaces invalid bytes one at a time.
  private func character(at index: Int) -> (Key?, Int)? {
    let length =
      switch pending[index] {
      case ..<0x80: 1
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    let bytes = pending[index...].prefix(length)
    if bytes.dropFirst().contains(where: { $0 & 0xC0 != 0x80 }) { return (.text("\u{FFFD}"), 1) }
    if bytes.count < length { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.unicodeScalars.count == 1 ? (.text(text).printable, length) : (.text("\u{FFFD}"), 1)
  }

  private mutating func sequence() -> (Key?, Int)? {
    guard pending.count > 1 else { return nil }
    switch pending[1] {
    case ..<0x20: return (.escape, 1)
    case 0x4F:
      guard pending.count > 2 else { return nil }
      return pending[2] < 0x20 ? (nil, 2) : (arrow(pending[2]), 3)
    case 0x5B: break
    // A key with Alt.
    default: return character(at: 1).map { (nil, 1 + $0.1) }
    }
    guard let end = pending.dropFirst(2).firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
      return pending.count > Self.longestSequence ? (nil, pending.count) : nil
    }
    // A key or another sequence has interrupted this sequence.
    guard (0x40...0x7E).contains(pending[end]) else { return (nil, end) }
    switch (pending[2..<end].elementsEqual("200".utf8), pending[end]) {
    case (true, 0x7E):
      (isPasting, searched) = (true, 0)
      return (nil, end + 1)
    case (_, 0x5A): return (.previous, end + 1)
    case (_, let last): return (arrow(last), end + 1)
    }
  }

  private func arrow(_ last: UInt8) -> Key? {
    switch last {
    case 0x41, 0x44: .previous
    case 0x42, 0x43: .next
    default: nil
    }
  }

  /// Reads pasted text up to its end mark, as if the user had typed it. Leaves out line ends and other control
  /// characters.
  ///
  /// Ctrl-C ends the text too. No terminal pastes a Ctrl-C, and if a terminal loses the end mark, the user must still be able to leave.
  private mutating func paste() -> (Key?, Int)? {
    while let index = pending[searched...].firstIndex(where: { $0 == Self.escape || $0 == Self.interrupt }) {
      searched = index
      let mark = pending[index...].prefix(Self.pasteEnd.count)
      if mark.first == Self.interrupt { return pasted(upTo: index) }
      if mark.elementsEqual(Self.pasteEnd) { return pasted(upTo: index, andMark: mark.count) }
      // These bytes may be the beginning of the mark.
      if Self.pasteEnd.starts(with: mark) { return nil }
      searched += 1
    }
    searched = pending.count
    return nil
  }

  private mutating func pasted(upTo end: Int, andMark length: Int = 0) -> (Key?, Int) {
    isPasting = false
    return (Key.text(String(decoding: pending[..<end], as: UTF8.self)).printable, end + length)
  }
}

extension Key {
  /// The key without control characters, or nil if nothing is left.
  fileprivate var printable: Key? {
    guard case .text(let text) = self else { return self }
    let kept = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
    return kept.isEmpty ? nil : .text(String(String.UnicodeScalarView(kept)))
  }
}
