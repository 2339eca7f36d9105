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
    return signature[arrow.upperBound...].contains(/^ *Observable\b/)
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
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
    for (number, line) in lines.enumerated() {
      if line.hasPrefix("///") {
        comment.append(String(line.dropFirst(line.hasPrefix("/// ") ? 4 : 3)))
      } else if let name = line.firstMatch(of: /^public (?:static )?func `?(\w+)/)?.1 {
        let signature = signature(from: lines[number...])
        functions.append(DocumentedFunction(name: String(name), signature: signature, comment: comment))
        comment = []
      } else if !line.hasPrefix("@") || line.contains("func ") {
        if !comment.isEmpty { functions.append(DocumentedFunction(name: "", signature: "", comment: comment)) }
        comment = []
      }
    }
    return functions
  }

  /// The text up to the brace that opens the body, not the one of a closure that is a parameter's default value.
  private static func signature(from lines: ArraySlice<String>) -> String {
    var depth = 0
    let signature = lines.joined(separator: " ").prefix { character in
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      return character != "{" || depth > 0
    }
    return String(signature)
  }
}
