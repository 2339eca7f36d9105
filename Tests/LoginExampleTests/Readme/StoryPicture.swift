/// What the user sees of a search, in the order in which it happens.
enum StoryMoment: Equatable {
  case leaves(String)
  case answer(String, shown: [String])
  case cancelled(String)

  var text: String {
    switch self {
    case .leaves(let text), .answer(let text, _), .cancelled(let text): text
    }
  }
}

/// Two runs of the README's search, one below the other, in light and dark colors. CSS draws the first one from left to right, then the line
/// that fixes it and the second one, once. Readers who prefer reduced motion see all of it immediately.
func storyPicture(
  stale: [StoryMoment], staleVerdict: String, fixed: [StoryMoment], fixedVerdict: String
) -> String {
  """
  <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 740 300" width="740" role="img">
  <title>Two searches whose responses arrive in the wrong order, without and with switchLatest</title>
  <style>svg{color:#1f2328}text{fill:currentColor;font:14px system-ui,sans-serif}.code{font:13px ui-monospace,monospace}
  path{fill:none;stroke:#1f6feb;stroke-width:4}circle{fill:#1f6feb}.gone{stroke:#8c959f}.back{fill:#fff}
  .bad{fill:#cf222e;font-weight:600}.good{fill:#1a7f37;font-weight:600}
  @media(prefers-color-scheme:dark){svg{color:#e6edf3}.back{fill:#0d1117}.bad{fill:#ff7b72}.good{fill:#3fb950}}
  .stale{animation:stale 8s linear both}.fix{animation:fix 8s both}.fixed{animation:fixed 8s linear both}
  @keyframes stale{0%{clip-path:inset(0 82% 0 0)}35%,100%{clip-path:inset(0)}}
  @keyframes fix{0%,42%{opacity:0;transform:translateX(-60px)}48%,100%{opacity:1;transform:none}}
  @keyframes fixed{0%,48%{clip-path:inset(0 100% 0 0)}50%{clip-path:inset(0 82% 0 0)}80%,100%{clip-path:inset(0)}}
  @media(prefers-reduced-motion:reduce){.stale,.fix,.fixed{animation:none}}</style>
  <rect class="back" width="740" height="300" rx="6"/>
  <text x="8" y="20" class="code">// no mode: the default is .parallel</text>
  <g class="stale">
  \(run(stale, verdict: "\(staleVerdict): this one", style: "bad", top: 48))</g>
  <text x="8" y="172" class="code fix">override func executionMode(for action: Action) -> ExecutionMode { .switchLatest }</text>
  <g class="fixed">
  \(run(fixed, verdict: fixedVerdict, style: "good", top: 200))</g>
  </svg>

  """
}

/// A row for each search, and one for what the list shows.
private func run(_ moments: [StoryMoment], verdict: String, style: String, top: Int) -> String {
  // A cancellation stands where its cause does.
  let columns = moments.indices.map { index in
    index - moments[..<index].count { if case .cancelled = $0 { true } else { false } }
  }
  func x(_ moment: Int) -> Int { 130 + columns[moment] * 105 }
  func text(_ x: Int, _ y: Int, _ text: String, _ style: String = "") -> String {
    "<text x=\"\(x)\" y=\"\(y + 5)\" class=\"\(style)\">\(text)</text>\n"
  }
  let searches = moments.compactMap { moment in if case .leaves(let text) = moment { text } else { nil } }
  let listRow = top + searches.count * 34
  var body = text(8, listRow, "the list shows")
  for (row, search) in searches.enumerated() {
    let y = top + row * 34
    let own = moments.indices.filter { moments[$0].text == search }
    let (start, end) = (x(own[0]), x(own[own.count - 1]))
    body += text(8, y, "search “\(search)”")
    if moments.contains(.cancelled(search)) {
      body += "<path class=\"gone\" d=\"M\(start) \(y)H\(end)\"/>\n" + text(end + 10, y, "cancelled")
    } else {
      body += "<path d=\"M\(start) \(y)H\(end)\"/>\n<circle cx=\"\(end)\" cy=\"\(y)\" r=\"6\"/>\n"
      body += text(end + 12, y, "response")
    }
  }
  let last = moments.count - 1
  for (index, moment) in moments.enumerated() {
    guard case .answer(_, let shown) = moment else { continue }
    body += text(x(index) - 8, listRow, shown.joined(separator: ", "), index == last ? style : "")
  }
  return body + text(x(last) + 40, listRow, verdict, style)
}
