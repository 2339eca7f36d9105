extension String {
  /// The text, with a replacement character for each character that would control a terminal or break a line.
  var printable: String {
    var text = UnicodeScalarView()
    for scalar in unicodeScalars {
      text.append(scalar.isSteering ? "\u{FFFD}" : scalar)
    }
    return String(text)
  }
}

extension Unicode.Scalar {
  /// Whether this is a control character or ends a line.
  var isSteering: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
