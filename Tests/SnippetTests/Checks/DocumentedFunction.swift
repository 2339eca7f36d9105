import Foundation

/// A public function in a Swift source, with its documentation comment.
struct DocumentedFunction {
  let name: String
  /// The source text from `public` to the opening brace.
  let signature: String
  /// The lines of the documentation comment, without the slashes and the space after them.
  let comment: [String]

  /// Whether it returns a stream.
  var returnsObservable: Bool {
    guard let arrow = signature.range(of: "->", options: .backwards) else { return false }
    return signature[arrow.upperBound...].drop { $0 == " " }.prefix { $0.isLetter } == "Observable"
  }

  /// The indented blocks of the comment, which are diagrams. Text between fences is code.
  var drawings: [[String]] {
    var (drawings, isFenced, isOpen) = ([[String]](), false, false)
    for line in comment {
      if line.hasPrefix("```") { isFenced.toggle() }
      let isDrawn = !isFenced && line.hasPrefix("    ")
      if isDrawn, !isOpen { drawings.append([]) }
      if isDrawn { drawings[drawings.count - 1].append(String(line.dropFirst(4))) }
      isOpen = isDrawn
    }
    return drawings
  }

  /// All public functions of a source. Any other declaration with a documentation comment counts as a function without a name.
  static func all(in source: String) -> [DocumentedFunction] {
    var (functions, comment) = ([DocumentedFunction](), [String]())
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }
    for (number, line) in lines.enumerated() {
      if line.hasPrefix("///") {
        comment.append(String(line.dropFirst(line.hasPrefix("/// ") ? 4 : 3)))
      } else if let name = name(of: line) {
        let signature = signature(from: lines[number...])
        functions.append(DocumentedFunction(name: name, signature: signature, comment: comment))
        comment = []
      } else if !line.hasPrefix("@") || line.contains("func ") {
        if !comment.isEmpty { functions.append(DocumentedFunction(name: "", signature: "", comment: comment)) }
        comment = []
      }
    }
    return functions
  }

  /// The name of the public function that the line declares.
  private static func name(of line: Substring) -> String? {
    guard let start = ["public func ", "public static func "].first(where: line.hasPrefix) else { return nil }
    return String(line.dropFirst(start.count).drop { $0 == "`" }.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
  }

  /// The text up to the brace that opens the body, not the one of a closure that is a parameter's default value.
  private static func signature(from lines: ArraySlice<Substring>) -> String {
    var (signature, depth) = ("", 0)
    for line in lines {
      for character in line {
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        if character == "{", depth <= 0 { return signature }
        signature.append(character)
      }
      signature.append(" ")
    }
    return signature
  }
}
