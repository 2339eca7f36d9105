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
        // A closure that is an argument's default is no body.
        let code = lines[number...].prefix(20).map { $0.replacing(/= \{[^}]*\}/, with: "") }
        let end = code.firstIndex { $0.contains("{") } ?? 0
        let signature = code[...end].joined(separator: " ").prefix { $0 != "{" }
        functions.append(DocumentedFunction(name: String(name), signature: String(signature), comment: comment))
        comment = []
      } else if !line.hasPrefix("@") || line.contains("func ") {
        if !comment.isEmpty { functions.append(DocumentedFunction(name: "", signature: "", comment: comment)) }
        comment = []
      }
    }
    return functions
  }
}
