import Foundation

/// A public function in a Swift source, with its doc comment.
struct DocumentedFunction {
  let name: String
  /// From `public` to the opening brace.
  let signature: String
  /// The lines of the doc comment, without the slashes and the space behind them.
  let comment: [String]

  /// Whether it makes a stream.
  var returnsObservable: Bool {
    guard let arrow = signature.range(of: "->", options: .backwards) else { return false }
    return signature[arrow.upperBound...].drop { $0 == " " }.hasPrefix("Observable<")
  }

  /// The indented blocks of the comment, which are diagrams; what stands between fences is code.
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

  /// All public functions of a source. What else is documented in it counts as one without a name.
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

  /// Up to the brace that opens the body: not that of a closure which is the default of the last parameter.
  private static func signature(from lines: ArraySlice<String>) -> String {
    let end = lines.indices.first { index in
      let isDefault = lines.dropFirst(index + 1 - lines.startIndex).first?.hasPrefix(")") ?? false
      return lines[index].contains("{") && !isDefault
    }
    let text = lines[...(end ?? lines.startIndex)].joined(separator: " ")
    return text.hasSuffix("{") ? String(text.dropLast()) : String(text.prefix { $0 != "{" })
  }
}
