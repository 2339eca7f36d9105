import Foundation

/// Bars on a logarithmic scale, as SVG.
enum Chart {
  /// The contenders that a workload may have, with the colors of their bars.
  private static let series: KeyValuePairs = [
    Workload.limit: "#8c959f", Workload.ours: "#1f6feb", queueAsync: "#a475f9", peer: "#bf8700",
  ]
  private static let (left, width, bar, gap) = (440.0, 420.0, 11.0, 12.0)

  static func svg(_ outcomes: [Outcome]) -> String {
    let all = outcomes.flatMap(\.results).map(\.median)
    let (low, high) = (log10(all.min()!).rounded(.down), log10(all.max()!).rounded(.up))
    func x(_ value: Double) -> Double { left + (log10(value) - low) / (high - low) * width }
    var (body, y) = ("", 40.0)
    for outcome in outcomes {
      body += text(left - 8, y + 10, outcome.workload.name, anchor: "end")
      for result in outcome.results {
        let color = series.first { $0.key == result.name }!.value
        body +=
          "<rect x=\"\(left)\" y=\"\(y)\" width=\"\(round(x(result.median) - left))\" height=\"\(bar - 2)\" fill=\"\(color)\"/>"
        body += text(x(result.median) + 4, y + 8, time(result.median, Report.number), size: 9)
        y += bar
      }
      y += gap
    }
    for power in Int(low)...Int(high) {
      let line = round(x(pow(10, Double(power))))
      body += "<path d=\"M\(line) 30V\(y)\" stroke=\"currentColor\" opacity=\".2\"/>"
      body += text(line, 24, time(pow(10, Double(power))) { "\(Int($0))" }, anchor: "middle", size: 9)
    }
    var legend = left
    for (name, color) in series {
      body += "<rect x=\"\(legend)\" y=\"4\" width=\"9\" height=\"9\" fill=\"\(color)\"/>"
      body += text(legend + 13, 12, name)
      legend += 110
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(left + width + 70) \(y + 10)" role="img">
      <title>Time of each operation, on a logarithmic scale; shorter is better</title>
      <style>svg{color:#1f2328}text{fill:currentColor;font-family:system-ui,sans-serif}\
      @media(prefers-color-scheme:dark){svg{color:#e6edf3}}</style>
      \(body)
      </svg>

      """
  }

  /// The time with its unit.
  private static func time(_ nanoseconds: Double, _ number: (Double) -> String) -> String {
    switch nanoseconds {
    case ..<1e3: "\(number(nanoseconds)) ns"
    case ..<1e6: "\(number(nanoseconds / 1e3)) µs"
    default: "\(number(nanoseconds / 1e6)) ms"
    }
  }

  private static func text(_ x: Double, _ y: Double, _ text: String, anchor: String = "start", size: Int = 11) -> String
  {
    "<text x=\"\(x)\" y=\"\(y)\" font-size=\"\(size)\" text-anchor=\"\(anchor)\">\(text)</text>"
  }
}
