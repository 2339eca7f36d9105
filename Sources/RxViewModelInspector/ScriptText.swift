/// A text as a literal of a script, without anything that ends a line or an element. A long one is cut.
package func quoted(_ text: String, most: Int = 1_000) -> String {
  var (result, count) = ("\"", 0)
  for scalar in text.unicodeScalars {
    count += 1
    if count > most { return result + "…\"" }
    switch scalar {
    case "\"", "\\": result += "\\\(scalar)"
    case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "<", ">", "&", "\u{2028}", "\u{2029}", "\u{202A}"..."\u{202E}",
      "\u{2066}"..."\u{2069}":
      let digits = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}
