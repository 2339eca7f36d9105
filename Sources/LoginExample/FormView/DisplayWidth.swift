extension Character {
  /// How many columns of a terminal it takes: two for East Asian wide characters and emoji.
  var displayWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if first.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}") { return 2 }
    switch first.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default:
      switch first.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format: return 0
      default: return 1
      }
    }
  }
}

extension String {
  var displayWidth: Int {
    reduce(0) { $0 + $1.displayWidth }
  }

  /// The end of it, as much as fits, behind an ellipsis if something is left out.
  func suffix(fitting columns: Int) -> String {
    if displayWidth <= columns { return self }
    var (kept, width): ([Character], Int) = ([], 1)
    for character in reversed() {
      width += character.displayWidth
      if width > columns { break }
      kept.append(character)
    }
    return columns < 1 ? "" : "…" + String(kept.reversed())
  }

  /// The begin of it, as much as fits, before an ellipsis if something is left out.
  func prefix(fitting columns: Int) -> String {
    if displayWidth <= columns { return self }
    var (kept, width) = ("", 1)
    for character in self {
      width += character.displayWidth
      if width > columns { break }
      kept.append(character)
    }
    return columns < 1 ? "" : kept + "…"
  }
}
