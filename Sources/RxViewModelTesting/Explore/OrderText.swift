/// The numbers of a run as text: `0-1-0x47` is a zero, a one and forty-seven zeros.
enum OrderText {
  /// Stands between two numbers.
  static let separator: Character = "-"
  /// Stands between an order and the one with which it was compared.
  static let comparison: Character = "/"
  /// As many zeros in a row are written one by one.
  private static let mostSingleZeros = 4
  /// The most zeros that a text may stand for, so that a mistyped one does not exhaust the memory.
  private static let mostZeros = 1_000_000

  static func text(of numbers: [Int]) -> String {
    var parts: [String] = []
    var zeros = 0
    func endZeros() {
      parts += zeros > mostSingleZeros ? ["0x\(zeros)"] : Array(repeating: "0", count: zeros)
      zeros = 0
    }
    for number in numbers {
      if number == 0 {
        zeros += 1
      } else {
        endZeros()
        parts.append("\(number)")
      }
    }
    endZeros()
    return parts.joined(separator: String(separator))
  }

  /// Says what the first `0x6` in the text stands for. Nil if there is none.
  static func explanation(of text: String) -> String? {
    guard let part = text.split(separator: separator).first(where: { $0.hasPrefix("0x") }) else { return nil }
    return "\(part) stands for \(part.dropFirst(2)) zeros"
  }

  /// Nil if the text is not an order.
  static func numbers(of text: String) -> [Int]? {
    var numbers: [Int] = []
    for part in text.isEmpty ? [] : text.split(separator: separator, omittingEmptySubsequences: false) {
      let isRow = part.hasPrefix("0x")
      guard let number = number(isRow ? part.dropFirst(2) : part) else { return nil }
      if isRow, number > mostZeros - numbers.count { return nil }
      numbers += isRow ? Array(repeating: 0, count: number) : [number]
    }
    return numbers
  }

  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
  }
}
