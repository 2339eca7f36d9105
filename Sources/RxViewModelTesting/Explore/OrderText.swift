/// The numbers of a run as text: `0-1-0x47` is a zero, a one and forty-seven zeros.
enum OrderText {
  /// Stands between two numbers.
  static let separator: Character = "-"
  /// Stands between an order and the one with which it was compared.
  static let comparison: Character = "/"
  /// The most zeros that a text may stand for, so that a mistyped one does not exhaust the memory.
  private static let mostZeros = 1_000_000

  /// As many as four zeros in a row are written one by one.
  static func text(of numbers: [Int]) -> String {
    var (parts, rest) = ([String](), numbers[...])
    while let number = rest.first {
      let zeros = rest.prefix { $0 == 0 }.count
      parts.append(zeros > 4 ? "0x\(zeros)" : "\(number)")
      rest = rest.dropFirst(zeros > 4 ? zeros : 1)
    }
    return parts.joined(separator: String(separator))
  }

  /// Nil if the text is not an order.
  static func numbers(of text: String) -> [Int]? {
    var numbers: [Int] = []
    for part in text.isEmpty ? [] : text.split(separator: separator, omittingEmptySubsequences: false) {
      let isRow = part.hasPrefix("0x")
      let digits = isRow ? part.dropFirst(2) : part
      guard digits.allSatisfy({ ("0"..."9").contains($0) }), let number = Int(digits) else { return nil }
      if isRow, number > mostZeros - numbers.count { return nil }
      numbers += isRow ? Array(repeating: 0, count: number) : [number]
    }
    return numbers
  }
}
