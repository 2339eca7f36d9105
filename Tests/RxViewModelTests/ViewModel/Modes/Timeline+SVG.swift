extension Timeline {
  /// All timelines in one picture, for light and dark backgrounds.
  static var picture: String {
    let (left, top, row, perMillisecond) = (150, 30, 16, 2)
    var (body, y) = ("", top)
    for time in stride(from: 0, through: 180, by: 20) {
      let x = left + time * perMillisecond
      body += "<text x=\"\(x)\" y=\"16\" class=\"small\" text-anchor=\"middle\">\(time)</text>\n"
      body += "<path class=\"grid\" d=\"M\(x) 22V\(top + all.count * (3 * row + 14) - 14)\"/>\n"
    }
    for timeline in all {
      body += "<text x=\"8\" y=\"\(y + 28)\" class=\"name\">\(timeline.name)</text>\n"
      for entry in timeline.rows {
        func bar(_ from: Int, _ to: Int, _ style: String) -> String {
          from >= to
            ? ""
            : "<path class=\"\(style)\" d=\"M\(left + from * perMillisecond) \(y + 8)H\(left + to * perMillisecond)\"/>\n"
        }
        func label(_ time: Int, _ text: String) -> String {
          "<text x=\"\(left + time * perMillisecond + 8)\" y=\"\(y + 12)\" class=\"small\">\(text)</text>\n"
        }
        let start = entry.start ?? 0
        switch entry.outcome {
        case .folded(let time):
          let sent = start + entry.duration
          body += bar(0, start, "wait") + bar(start, sent, "work") + bar(sent, time, "held")
          body += "<circle class=\"fold\" cx=\"\(left + time * perMillisecond)\" cy=\"\(y + 8)\" r=\"4\"/>\n"
          body += label(time, entry.username)
        case .cancelled: body += label(0, "\(entry.action) cancelled")
        case .joined(let time): body += bar(0, time, "wait") + label(time, "ends with A1")
        case .dropped: body += label(0, "\(entry.action) dropped")
        }
        y += row
      }
      y += 14
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 \(y)" width="560" role="img">
      <title>Three actions in each execution mode; times in milliseconds</title>
      <style>svg{color:#1f2328}text{fill:currentColor;font:13px system-ui,sans-serif}.small{font-size:11px}.name{font-weight:600}
      path{fill:none;stroke-width:4}.grid{stroke:currentColor;stroke-width:1;opacity:.15}.work{stroke:#1f6feb}
      .wait{stroke:#8c959f;stroke-width:2;stroke-dasharray:2 3}.held{stroke:#1f6feb;stroke-width:2}.fold{fill:#1f6feb}
      @media(prefers-color-scheme:dark){svg{color:#e6edf3}}</style>
      \(body)</svg>

      """
  }
}
