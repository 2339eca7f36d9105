/// The first table of a failure as a picture, in light and dark colors: a line for each action and one for the server, from top to bottom,
/// and an arrow for each request and each answer.
func racePicture(of failure: String, title: String) -> String {
  let lines = failure.split(separator: "\n")
  let rows = lines.dropFirst().prefix { $0.hasPrefix("  ") }.map(cells)
  let (heads, height) = (rows[0], 60 + rows.count * 30)
  func x(_ column: Int) -> Int { 90 + column * 160 }
  var body = ""
  func text(_ x: Int, _ y: Int, _ text: String, _ style: String) {
    body += "<text x=\"\(x)\" y=\"\(y + 5)\" class=\"\(style)\">\(text)</text>\n"
  }
  func arrow(_ from: (column: Int, y: Int), _ to: (column: Int, y: Int)) {
    // It waits in its own line first.
    let (start, end) = ("\(x(from.column)) \(from.y)V\(to.y - 15)", "\(x(to.column)) \(to.y)")
    body += "<path d=\"M\(start)L\(end)\" marker-end=\"url(#tip)\"/>\n"
  }
  for (column, head) in heads.enumerated() {
    text(x(column), 16, head.text, "name")
    body += "<path class=\"line\" d=\"M\(x(column)) 30V\(height - 40)\"/>\n"
  }
  let columns = rows.map { row in
    row.map { cell in (column: heads.firstIndex { $0.place == cell.place }, text: cell.text) }
  }
  var (starts, handled) = ([Int: Int](), [String: Int]())
  for (row, cells) in columns.enumerated().dropFirst() {
    let y = 20 + row * 30
    for cell in cells {
      guard let column = cell.column else {
        text(x(heads.count - 1) + 90, y, cell.text, row == rows.count - 1 ? "bad" : "")
        continue
      }
      if heads[column].text == "server" {
        let answer = columns.joined().first { $0.text == "answer to \(cell.text)" }
        if let sender = answer?.column, let start = starts[sender] { arrow((sender, start), (column, y)) }
        handled[cell.text] = y
        text(x(column) + 10, y, cell.text, "")
      } else if cell.text.hasPrefix("answer to "), let start = handled["\(cell.text.dropFirst(10))"] {
        arrow((heads.count - 1, start), (column, y))
      } else {
        starts[column] = y
        body += "<circle cx=\"\(x(column))\" cy=\"\(y)\" r=\"5\"/>\n"
      }
    }
  }
  text(10, height - 16, lines[0].split(separator: ", ").dropLast().joined(separator: ", "), "bad")
  return """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 740 \(height)" width="740" role="img">
    <title>\(title)</title>
    <style>svg{color:#1f2328}text{fill:currentColor;font:13px ui-monospace,monospace}.name{text-anchor:middle;font-weight:600}
    path{fill:none;stroke:#1f6feb;stroke-width:2}circle,.tip{fill:#1f6feb;stroke:none}.line{stroke:#8c959f;stroke-width:1}
    .back{fill:#fff}.bad{fill:#cf222e;font-weight:600}
    @media(prefers-color-scheme:dark){svg{color:#e6edf3}.back{fill:#0d1117}.bad{fill:#ff7b72}}</style>
    <marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="6" markerHeight="6" orient="auto">
    <path class="tip" d="M0 0L8 4L0 8z"/></marker>
    <rect class="back" width="740" height="\(height)" rx="6"/>
    \(body)</svg>

    """
}

/// The texts of a line, and where each begins. At least two spaces are between them.
private func cells(of line: Substring) -> [(place: Int, text: String)] {
  line.matches(of: /\S+( \S+)*/).map { match in
    (line.distance(from: line.startIndex, to: match.range.lowerBound), "\(match.output.0)")
  }
}
