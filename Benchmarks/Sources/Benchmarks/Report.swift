/// A table of outcomes.
struct Report {
  /// The unit of the times, and the number of nanoseconds in it.
  let unit: (name: String, nanoseconds: Double)
  let columns: [String]

  static let all = Report(unit: ("ns", 1), columns: [Workload.limit, Workload.ours, queueAsync, peer])
  static let lists = Report(unit: ("milliseconds", 1e6), columns: [Workload.limit, Workload.ours])

  func text(_ outcomes: [Outcome]) -> String {
    let rows = [header] + outcomes.map(row)
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max()! }
    return rows.map { row in
      zip(row, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
        .joined(separator: "  ")
    }.joined(separator: "\n")
  }

  func markdown(_ outcomes: [Outcome]) -> [String] {
    let rows = [header, header.map { _ in "---" }] + outcomes.map(row)
    return rows.map { "| " + $0.joined(separator: " | ") + " |" }
  }

  /// Returns the README with the new figures of the workloads that its two tables list. All other lines stay.
  static func readme(_ page: String, with outcomes: [Outcome]) -> String {
    var lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (heading, report) in [("## Figures", all), ("## Lists", lists)] {
      guard let heading = lines.firstIndex(of: heading),
        let start = lines[heading...].firstIndex(where: { $0.hasPrefix("|") })
      else { fatalError("the README has no table below \(heading)") }
      let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
      let table = lines[start..<end].joined(separator: "\n")
      lines.replaceSubrange(start..<end, with: report.markdown(listed(outcomes, in: table)))
    }
    return lines.joined(separator: "\n")
  }

  /// The outcomes that have a row in a table.
  static func listed(_ outcomes: [Outcome], in table: String) -> [Outcome] {
    outcomes.filter { table.contains("\n| \($0.workload.name) |") }
  }

  private var header: [String] {
    ["workload, \(unit.name) each: median (minimum)"] + columns + ["ratio to limit", "goal", "allocations"]
  }

  private func row(_ outcome: Outcome) -> [String] {
    let times = columns.map { name in
      outcome.result(of: name).map { result in
        let (median, minimum) = (result.median / unit.nanoseconds, result.minimum / unit.nanoseconds)
        return "\(Self.number(median)) (\(Self.number(minimum)))"
      } ?? "–"
    }
    let ratio = outcome.ratio.map(Self.decimal) ?? "–"
    let goal = outcome.workload.goal.map { "≤ \(Self.decimal($0))" } ?? "–"
    let allocations = columns.map { name in outcome.result(of: name)?.allocations.map(Self.decimal) ?? "–" }
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
