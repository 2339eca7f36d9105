import RxViewModel

extension Resources {
  /// - Parameter nonce: The policy of the page allows only the scripts that know this number.
  static func page(_ nonce: String) -> String { index_html.replacing("NONCE", with: nonce) }

  static func nonce() -> String {
    (0..<4).map { _ in String(UInt32.random(in: 0...UInt32.max), radix: 36) }.joined()
  }
}

/// The page as one file, with a session in it instead of one that it loads.
///
/// - Parameter session: A call of `session`, in which each text is ``quoted(_:most:)``.
package func inspectorPage(with session: String) -> String {
  let nonce = Resources.nonce()
  let scripts = [Resources.page_js, session].map { "<script nonce=\"\(nonce)\">\n\($0)\n</script>" }
  return Resources.page(nonce)
    .replacing(
      #"<link rel="stylesheet" href="page.css" nonce="\#(nonce)">"#,
      with: "<style nonce=\"\(nonce)\">\n\(Resources.page_css)</style>"
    )
    .replacing(#"<script src="page.js" nonce="\#(nonce)"></script>"#, with: scripts.joined(separator: "\n"))
}

extension ExecutionCause {
  /// As the page knows it.
  package var json: String {
    let (name, id): (String, UInt64?) =
      switch self {
      case .busy(let id): ("busy", id)
      case .debounced: ("debounced", nil)
      case .joined(let id): ("joined", id)
      case .waited(let id): ("waited", id)
      case .superseded(let id): ("superseded", id)
      case .request: ("request", nil)
      case .task: ("task", nil)
      case .bag: ("bag", nil)
      case .effect(let id): ("effect", id)
      case .cancellationError: ("cancellationError", nil)
      case .removedChild: ("removedChild", nil)
      case .batch(let id): ("batch", id)
      case .absentChild: ("absentChild", nil)
      case .misplacedChild: ("misplacedChild", nil)
      }
    return "{\"is\":\"\(name)\"\(id.map { ",\"a\":\($0)" } ?? "")}"
  }
}
