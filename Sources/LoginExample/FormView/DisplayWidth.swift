extension Character {
  /// The most columns of a terminal that the character takes: two for East Asian wide characters and for emoji, however
  /// composed.
  var displayWidth: Int {
    let isEmoji =
      unicodeScalars.first!.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}")
    return unicodeScalars.reduce(isEmoji ? 2 : 0) { width, scalar in
      isEmoji && scalar.properties.isEmoji ? width : width + scalar.displayWidth
    }
  }
}

extension Unicode.Scalar {
  fileprivate var displayWidth: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    // A terminal shows soft hyphens, and signs that precede a number.
    case .format: return properties.isDefaultIgnorableCodePoint && self != "\u{AD}" ? 0 : 1
    default: break
    }
    switch value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0xA4CF,
      0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x16FE0...0x1B2FF, 0x1D300...0x1D376, 0x1F200...0x1F265, 0x20000...0x3FFFD:
      return 2
    default: return properties.isEmojiPresentation ? 2 : 1
    }
  }
}

extension String {
  var displayWidth: Int {
    reduce(0) { $0 + $1.displayWidth }
  }

  /// The end of the text that fits, after an ellipsis if the text was shortened.
  func suffix(fitting columns: Int) -> String {
    reversed().fitting(columns).map { columns < 1 ? "" : "…" + String($0.reversed()) } ?? self
  }

  /// The beginning of the text that fits, followed by an ellipsis if the text was shortened.
  func prefix(fitting columns: Int) -> String {
    self.fitting(columns).map { columns < 1 ? "" : String($0) + "…" } ?? self
  }
}

extension Sequence<Character> {
  /// The characters that fit together with an ellipsis, or nil if all of them fit without one. Reads only as many characters as it needs.
  fileprivate func fitting(_ columns: Int) -> [Character]? {
    var (kept, width) = ([Character](), 0)
    for character in self {
      width += character.displayWidth
      if width > columns { return kept }
      if width < columns { kept.append(character) }
    }
    return nil
  }
}
