/// The table of the outcomes.
enum Report {
  private static let columns = [Workload.limit, Workload.ours, queueAsync, peer]

  static func text(_ outcomes: [Outcome]) -> String {
    let rows = [header] + outcomes.map(row)
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max()! }
    return rows.map { row in
      zip(row, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
        .joined(separator: "  ")
    }.joined(separator: "\n")
  }

  static func markdown(_ outcomes: [Outcome]) -> String {
    let rows = [header, header.map { _ in "---" }] + outcomes.map(row)
    return rows.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  private static var header: [String] {
    ["workload, ns each: median (minimum)"] + columns + ["ratio to limit", "goal", "allocations"]
  }

  private static func row(_ outcome: Outcome) -> [String] {
    let times = columns.map { name in
      outcome.result(of: name).map { "\(number($0.median)) (\(number($0.minimum)))" } ?? "–"
    }
    let ratio = outcome.ratio.map(decimal) ?? "–"
    let goal = outcome.workload.goal.map { "≤ \(decimal($0))" } ?? "–"
    let allocations = columns.map { name in outcome.result(of: name)?.allocations.map(decimal) ?? "–" }
    return [outcome.workload.name] + times + [ratio, goal, allocations.joined(separator: " / ")]
  }

  static func number(_ value: Double) -> String {
    value < 100 ? decimal(value) : "\(Int(value.rounded()))"
  }

  static func decimal(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let (whole, part) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
    return (hundredths < 0 ? "-" : "") + "\(whole).\(part < 10 ? "0" : "")\(part)"
  }
}
