import Foundation

/// A key that a user presses.
enum Key: Sendable, Equatable {
  /// Printable characters, typed or pasted.
  case text(String)
  case next, previous, enter, backspace, escape
  /// Ctrl-U; Ctrl-C or Ctrl-D.
  case clear, leave
}

/// Parses the bytes from a terminal into keys. It does not matter how the reads split the bytes.
struct KeyParser {
  /// The kind of input that the next byte continues: text, pasted text, ESC, or ESC [ with these bytes.
  private enum State {
    case text, paste, escape
    case sequence([UInt8])
  }

  private static let controls: [UInt8: Key] = [
    0x03: .leave, 0x04: .leave, 0x08: .backspace, 0x09: .next, 0x0A: .enter, 0x0D: .enter, 0x15: .clear,
    0x7F: .backspace,
  ]
  /// Up, left, Shift-Tab; down, right.
  private static let sequenceEnds: [UInt8: Key] = [
    0x41: .previous, 0x44: .previous, 0x5A: .previous, 0x42: .next, 0x43: .next,
  ]
  private static let pasteEnd = Array("\u{1B}[201~".utf8)
  private var state = State.text
  private var text: [UInt8] = []
  private var keys: [Key] = []

  /// Whether the latest bytes are an incomplete sequence, which ``flush()`` ends.
  var isUndecided: Bool {
    switch state {
    case .escape, .sequence: true
    case .text, .paste: false
    }
  }

  /// Returns the keys that the bytes complete. An incomplete character or sequence waits for more bytes.
  mutating func parse(_ bytes: some Sequence<UInt8>) -> [Key] {
    for byte in bytes { parse(byte) }
    let hasWholeCharacters = { [text] in String(bytes: text.dropLast($0), encoding: .utf8) != nil }
    if case .paste = state {} else { endText(keeping: (0...3).first(where: hasWholeCharacters) ?? 0) }
    defer { keys = [] }
    return keys
  }

  /// Ends an incomplete sequence. Returns the Escape key for a lone escape byte, and no key for any other sequence.
  mutating func flush() -> [Key] {
    guard isUndecided else { return [] }
    defer { state = .text }
    if case .escape = state { return [.escape] }
    return []
  }

  private mutating func parse(_ byte: UInt8) {
    switch (state, byte) {
    case (.text, 0x1B): end(with: nil, .escape)
    case (.text, ..<0x20), (.text, 0x7F): end(with: Self.controls[byte])
    case (.text, _): text.append(byte)
    case (.paste, _): parsePaste(byte)
    case (.escape, UInt8(ascii: "[")): state = .sequence([])
    case (.sequence(let bytes), 0x20..<0x40): state = .sequence(bytes + [byte])
    case (.sequence(let bytes), UInt8(ascii: "~")) where bytes.elementsEqual("200".utf8): state = .paste
    case (.sequence, 0x40..<0x7F): end(with: Self.sequenceEnds[byte])
    default:
      // The byte begins another key and ends the incomplete sequence.
      if case .escape = state { keys.append(.escape) }
      state = .text
      parse(byte)
    }
  }

  /// Adds a byte to the pasted text, or ends the paste at its end mark. Ctrl-C also ends the paste, because the end mark may be lost and
  /// no terminal pastes a Ctrl-C.
  private mutating func parsePaste(_ byte: UInt8) {
    text.append(byte)
    let isEnded = byte == UInt8(ascii: "~") && text.suffix(Self.pasteEnd.count) == Self.pasteEnd[...]
    if isEnded { text.removeLast(Self.pasteEnd.count) }
    if isEnded || byte == 0x03 { end(with: Self.controls[byte]) }
  }

  private mutating func end(with key: Key?, _ next: State = .text) {
    state = next
    endText()
    if let key { keys.append(key) }
  }

  /// Adds the text, without control characters, to the keys. Consecutive characters become one text.
  ///
  /// - Parameter count: The number of bytes at the end that belong to an incomplete character and stay.
  private mutating func endText(keeping count: Int = 0) {
    let scalars = String(decoding: text.dropLast(count), as: UTF8.self).unicodeScalars
    text = text.suffix(count)
    let new = String(String.UnicodeScalarView(scalars.filter { $0.properties.generalCategory != .control }))
    if new.isEmpty { return }
    if case .text(let before)? = keys.last {
      keys[keys.count - 1] = .text(before + new)
    } else {
      keys.append(.text(new))
    }
  }
}
