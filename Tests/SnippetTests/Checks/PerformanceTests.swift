import Foundation
import Testing

/// The figures of the page *Performance* are those of `Benchmarks/README.md`, which the benchmarks write.
struct PerformanceTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized

  private let page = try? Self.text("Sources/RxViewModel/RxViewModel.docc/Performance.md")
  private let benchmarks = try? Self.text("Benchmarks/README.md")

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8).replacing("\n  ", with: " ")
  }

  /// The cells of the first row that begins with a name.
  private func cells(of name: String, in text: String?) throws -> [String] {
    let row = try #require(text?.split(separator: "\n").first { $0.hasPrefix("| \(name) |") }, "no row \(name)")
    return row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  @Test(arguments: [
    ("an action, from `execute` to its state", "view model: actions → states"),
    ("the same, if the state is twelve references and a number", "view model: wide state, 1 subscriber"),
    ("an action that sets a number, against a mailbox of three functions", "view model: a number, against a mailbox"),
    ("an event from a subject with one subscriber", "subject, 1 subscriber"),
    ("an event from a subject with 100 subscribers", "subject, 100 subscribers"),
    ("an element through five operators", "map, filter, map, scan, distinctUntilChanged"),
    ("subscribing and disposing", "subscribe + dispose, 1000 present"),
    (
      "creating a view model, executing one action, and releasing the view model",
      "view model: create, subscribe, one action, release"
    ),
    (
      "the changes between two lists of 5,000 rows, 20% deleted and inserted, 4% shuffled",
      "list of 5000, 20% deleted and inserted, 4% shuffled, 16-byte ids"
    ),
  ])
  func aRowHasTheMediansOfItsWorkload(row: String, workload: String) throws {
    let shown = try cells(of: row, in: page)
    let measured = try cells(of: workload, in: benchmarks)
    // In the page: the library, then the limit. In the benchmarks: the limit, then the library, in nanoseconds, or milliseconds for lists.
    for (figure, median) in zip(shown[1...2], [measured[2], measured[1]]) {
      let number = try #require(Double(median.prefix { $0 != " " }))
      let expected = workload.hasPrefix("list") ? (number, "ms") : (number / 1_000, "µs")
      #expect(figure == String(format: "%.2f", expected.0) + " " + expected.1)
    }
  }

  // The figures that the benchmarks don't write into their table.
  @Test(arguments: [
    "880 bytes on a shared queue", "subscription 137", "never ends 474", "1.91 MB", "1.2 to 1.8 µs more", "0.7 µs",
  ])
  func bothPagesHaveTheOtherFigures(figure: String) {
    for text in [page, benchmarks] { #expect(text?.contains(figure) == true) }
  }
}
